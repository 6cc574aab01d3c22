// A network while it is trained: its parameters, optimiser, replicas and best
// state so far.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_LEARNING_TRAINED_NETWORK_H_
#define SLICE_TRAINER_LEARNING_TRAINED_NETWORK_H_

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/link_encoder.h"
#include "model/prediction.h"
#include "trainer/learning/gradient_optimizer.h"
#include "trainer/learning/network_training_options.h"
#include "trainer/learning/training_examples.h"
#include "trainer/learning/training_summary.h"

namespace slice {

// A part of a chunk, by position in it; contexts of like length stand together.
struct ExampleBatch {
  const ExampleChunk* chunk = nullptr;
  std::span<const uint32_t> positions;
};

// Thread-compatible. A step runs on as many threads as there are replicas: each
// replica computes the gradient of its share of the batch, and the sum moves
// the network (synchronous data parallelism; the result does not depend on the
// number of replicas but for rounding).
class TrainedNetwork {
 public:
  // `network` is trained in place and must outlive this.
  TrainedNetwork(torch::jit::Module* network, TrainingScope scope,
                 at::Tensor embeddings, const NetworkTrainingOptions& options);
  ~TrainedNetwork();

  // One optimiser step at `rate`; returns the mean loss. OUT_OF_RANGE, and
  // no step, when that is no number.
  absl::StatusOr<double> Step(const ExampleBatch& batch, double rate);

  // Logits [examples, 6] by OutputNames(), row-major, in the order of
  // `positions`; columns of scorers not trained are 0.
  std::vector<float> Score(const ExampleBatch& batch);

  void KeepBest();
  void RestoreBest();

  TrainingSummary summary;
  double epoch_loss = 0;

 private:
  struct Replica;

  // The sum of the losses of `batch`, its gradients added to the replica's.
  double AddGradients(Replica& replica, const ExampleBatch& batch,
                      double weight);

  torch::jit::Module* const network_;
  const TrainingScope scope_;
  const at::Tensor embeddings_;
  const NetworkTrainingOptions options_;
  std::vector<at::Tensor> parameters_, best_;
  std::vector<double> rate_factors_;
  std::unique_ptr<GradientOptimizer> optimizer_;
  std::vector<std::unique_ptr<Replica>> replicas_;  // [0] is the network
};

// Tokens of the first context: what batches are sorted by.
size_t TokenCount(const EncodedLink& link);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_TRAINED_NETWORK_H_
