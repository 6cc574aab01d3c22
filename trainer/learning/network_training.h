// Trains networks on labelled examples that are encoded on the way: the
// structural scorer alone, or the whole network (fine-tuning, algorithm 2 of
// the paper).
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

// What a run reads. All of it must outlive the run.
struct TrainingData {
  const TrainingExamples* examples = nullptr;
  const LinkEncoder* encoder = nullptr;
  const ExampleChunk* valid = nullptr;
  at::Tensor embeddings;  // [nodes, dim]
};

// Trains every network of `arms` on the same examples in the same order. Each
// ends with the parameters of its best epoch on valid. When a loss is not
// finite, training ends, and the epochs before count; INVALID_ARGUMENT when
// there is none. FAILED_PRECONDITION without positives. Progress lines show
// `title`.
absl::StatusOr<std::vector<TrainingSummary>> TrainNetworks(
    std::span<torch::jit::Module> arms, TrainingScope scope,
    const TrainingData& data, const NetworkTrainingOptions& options,
    const std::string& title);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_NETWORK_TRAINING_H_
