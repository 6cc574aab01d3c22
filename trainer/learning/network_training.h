// Trains networks on labelled examples, which are drawn and encoded meanwhile.
// Either the structural scorer alone is trained, or the whole network
// (fine-tuning, algorithm 2 of the paper). Where there are questions, a step
// also takes the listwise loss of some of them.
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
#include "trainer/learning/ranking_lists.h"
#include "trainer/learning/training_examples.h"
#include "trainer/learning/training_summary.h"

namespace slice {

// What TrainNetworks reads. What the pointers point to must outlive the call.
struct TrainingData {
  const TrainingExamples* examples = nullptr;
  const LinkEncoder* encoder = nullptr;
  const ExampleChunk* valid = nullptr;
  // Lists about valid, and questions for the listwise loss. Null, or without
  // lists, and empty where nothing is to be ranked.
  const ListChunk* valid_lists = nullptr;
  std::span<const HardQuestion> questions;
  at::Tensor embeddings;  // [nodes, dim]
};

// Trains several networks side by side, to compare them: every network of
// `arms` takes the same examples in the same order. Each ends with the
// parameters of its best epoch on valid: by the mean AUROC of both questions
// or, with lists about valid, by the mean reciprocal rank of the answers in
// their lists. Returns the summaries of the networks, in their order. When a
// loss or a score is not finite, training ends and the earlier epochs count;
// INVALID_ARGUMENT when there is no earlier epoch. FAILED_PRECONDITION without
// positives. Progress lines show `title`.
absl::StatusOr<std::vector<TrainingSummary>> TrainNetworks(
    std::span<torch::jit::Module> arms, TrainingScope scope,
    const TrainingData& data, const NetworkTrainingOptions& options,
    const std::string& title);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_NETWORK_TRAINING_H_
