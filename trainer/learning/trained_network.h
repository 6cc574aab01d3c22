// A network in training: its parameters, their optimiser, replicas for several
// threads, and the best state so far.
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
#include "trainer/learning/ranking_lists.h"
#include "trainer/learning/training_examples.h"
#include "trainer/learning/training_summary.h"

namespace slice {

// Some examples of a chunk, by their positions in it. Examples that follow each
// other have contexts of similar length, so that micro-batches need little
// padding.
struct ExampleBatch {
  const ExampleChunk* chunk = nullptr;
  std::span<const uint32_t> positions;
};

// Some lists of a chunk: [begin, end).
struct ListBatch {
  const ListChunk* chunk = nullptr;
  size_t begin = 0, end = 0;
};

// A network while it is trained. Thread-compatible. A step runs with one thread
// per replica (synchronous data parallelism): each replica computes the
// gradients of its share of the batch, and their sum moves the network. The
// number of replicas changes the result by rounding alone.
class TrainedNetwork {
 public:
  // `network` is trained in place and must outlive this. When `scope` is
  // kWhole, the first options.trained_columns of `embeddings` [nodes, dim] are
  // trained too; RestoreBest() writes them into `embeddings`.
  TrainedNetwork(torch::jit::Module* network, TrainingScope scope,
                 const at::Tensor& embeddings,
                 const NetworkTrainingOptions& options);
  ~TrainedNetwork();

  // Takes one optimiser step at `rate` and returns the mean loss: that of the
  // examples, and options.list_weight times that of the lists. The loss of a
  // list is the cross-entropy of its answer in a softmax over the list, by the
  // logits for "among kind", summed over the trained scorers (ListNet: Cao et
  // al., ICML 2007). OUT_OF_RANGE, without a step, when the loss is not finite.
  absl::StatusOr<double> Step(const ExampleBatch& batch, const ListBatch& lists,
                              double rate);

  // Logits [examples, 6], row-major: rows in the order of `positions`, columns
  // in the order of OutputNames(). Scorers that are not trained have zeros.
  std::vector<float> Score(const ExampleBatch& batch);
  // The same for the links of all lists of `lists`.
  std::vector<float> Score(const ListChunk& lists);

  // KeepBest() keeps the parameters as they are now; RestoreBest() returns to
  // the parameters that were kept last.
  void KeepBest();
  void RestoreBest();

  // Both are filled by the caller.
  TrainingSummary summary;
  double epoch_loss = 0;
  double best_quality = 0;  // of the epoch that was kept

 private:
  struct Replica;

  std::vector<float> ScoreLinks(std::span<const EncodedLink* const> links);
  // Adds the gradients of the loss of `batch` to those of `replica`, and
  // returns the loss. It is the sum of the examples' losses, divided by
  // `weight`.
  double AddGradients(Replica& replica, const ExampleBatch& batch,
                      double weight);
  // The same for lists [begin, end) of `lists`.
  double AddListGradients(Replica& replica, const ListBatch& lists,
                          double weight);

  torch::jit::Module* const network_;
  const TrainingScope scope_;
  const NetworkTrainingOptions options_;
  std::vector<at::Tensor> parameters_, best_;
  std::vector<double> rate_factors_;
  std::unique_ptr<GradientOptimizer> optimizer_;
  std::vector<std::unique_ptr<Replica>> replicas_;  // [0] is the network
};

// The number of tokens in the first context of `link`. Batches are sorted by
// it.
size_t TokenCount(const EncodedLink& link);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_TRAINED_NETWORK_H_
