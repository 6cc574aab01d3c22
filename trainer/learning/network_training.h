// Supervised training of networks on streamed examples: the structural scorer
// alone, then everything together (fine-tuning, algorithm 2 of the paper).
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_LEARNING_NETWORK_TRAINING_H_
#define SLICE_TRAINER_LEARNING_NETWORK_TRAINING_H_

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "context/link_encoder.h"
#include "model/prediction.h"
#include "trainer/learning/training_examples.h"
#include "trainer/learning/training_summary.h"

namespace slice {

struct NetworkTrainingOptions {
  int epochs = 6;
  int batch_size = 512;
  double learning_rate = 1e-3;  // the peak of one cycle
  // Of the structural scorer while everything is trained together, relative.
  double structural_rate = 0.3;
  double weight_decay = 0.01;
  int patience = 2;                // epochs without a better valid AUROC
  size_t positives_per_epoch = 0;  // 0 = all
  // Draws of positives and negatives that differ; later epochs see them again,
  // and they are encoded once. 0: every epoch draws anew.
  int distinct_epochs = 0;
  int threads = 1;  // 1: one after another, in a reproducible order
  ContextPooling pooling = ContextPooling::kMean;
  int replicas = 1;  // threads of one step
  uint64_t seed = 0;
};

// What is trained: the structural scorer alone, or the whole network.
enum class TrainingScope { kStructural, kWhole };

// Everything a run reads; all of it must outlive the run.
struct TrainingData {
  const TrainingExamples* examples = nullptr;
  const LinkEncoder* encoder = nullptr;
  const ExampleChunk* valid = nullptr;
  at::Tensor embeddings;  // [nodes, dim]; frozen
};

// Trains every network of `arms` on the same examples in the same order, and
// leaves each with the parameters of its best epoch on valid. When a loss stops
// being a number the epochs before count; INVALID_ARGUMENT when there is none.
absl::StatusOr<std::vector<TrainingSummary>> TrainNetworks(
    std::span<torch::jit::Module> arms, TrainingScope scope,
    const TrainingData& data, const NetworkTrainingOptions& options,
    const std::string& title);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_NETWORK_TRAINING_H_
