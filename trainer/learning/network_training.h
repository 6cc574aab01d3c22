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
#include "trainer/learning/network_training_options.h"
#include "trainer/learning/training_examples.h"
#include "trainer/learning/training_summary.h"

namespace slice {

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
