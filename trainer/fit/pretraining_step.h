// The step `pretrain`: the network learns to tell which node is masked in a
// random-walk context. Writes pretrained.pt and, when random vectors are
// trained with the network, pretrained_embeddings.bin.
#ifndef SLICE_TRAINER_FIT_PRETRAINING_STEP_H_
#define SLICE_TRAINER_FIT_PRETRAINING_STEP_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/fit/learning_inputs.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/structural_step.h"
#include "trainer/report/report_parts.h"

namespace slice {

struct PretrainedNetwork {
  std::filesystem::path network_file;
  // The embeddings after this step, when it trained some of their columns.
  std::optional<GlobalEmbeddings> embeddings;
  std::vector<NamedCurve> losses;
  std::string fingerprint;
};

// A step as finish_step.h describes it; what it is given must outlive it. With
// the preset fast, without embeddings, or with no epochs of pre-training, the
// network of the step `structural` stays as it is.
class PretrainingStep {
 public:
  static constexpr char kName[] = "pretrain";

  PretrainingStep(const LearningInputs& inputs,
                  const StructuralScorer& structural)
      : inputs_(inputs), structural_(structural) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
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
