// The step `pretrain`: the network learns to name masked nodes of random-walk
// contexts -> pretrained.pt; pretrained_embeddings.bin when random vectors are
// trained with it.
#ifndef SLICE_TRAINER_FIT_PRETRAINING_STEP_H_
#define SLICE_TRAINER_FIT_PRETRAINING_STEP_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/fit/learning_inputs.h"
#include "trainer/fit/structural_step.h"
#include "trainer/report/report_parts.h"

namespace slice {

struct PretrainedNetwork {
  std::filesystem::path network_file;
  // What the step made of embeddings with columns to train.
  std::optional<GlobalEmbeddings> embeddings;
  std::vector<NamedCurve> losses;
  std::string fingerprint;
};

// A step as finish_step.h describes it; what it is given must outlive it. A run
// without embeddings or without epochs of pre-training keeps the network of the
// structural step.
class PretrainingStep {
 public:
  static constexpr char kName[] = "pretrain";

  PretrainingStep(const LearningInputs& inputs,
                  const StructuralScorer& structural)
      : inputs_(inputs), structural_(structural) {}

  absl::StatusOr<std::string> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<PretrainedNetwork> Load(const nlohmann::json& record) const;

 private:
  std::filesystem::path NetworkFile() const;
  std::filesystem::path EmbeddingFile() const;
  bool TrainsEmbeddings() const;

  const LearningInputs& inputs_;
  const StructuralScorer& structural_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_PRETRAINING_STEP_H_
