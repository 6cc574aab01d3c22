// The step `fine-tune`: the whole network learns to score links. Writes
// model.pt; with --compare-pretraining also model_without_pretraining.pt; and
// when random vectors are trained with the network, fine_tuned_embeddings.bin.
#ifndef SLICE_TRAINER_FIT_FINE_TUNING_STEP_H_
#define SLICE_TRAINER_FIT_FINE_TUNING_STEP_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/fit/learning_inputs.h"
#include "trainer/fit/pretraining_step.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/structural_step.h"
#include "trainer/report/report_parts.h"

namespace slice {

struct FineTunedNetwork {
  std::filesystem::path network_file;
  // The network fine-tuned without pre-training; empty without
  // FitOptions::compare_pretraining.
  std::filesystem::path network_without_pretraining_file;
  // The embeddings after this step, when it trained some of their columns.
  std::optional<GlobalEmbeddings> embeddings;
  std::vector<NamedCurve> losses;
  std::string fingerprint;
};

// A step as finish_step.h describes it; what it is given must outlive it. With
// the preset fast or --without-fine-tuning, it keeps the network of the step
// `pretrain` as it is.
class FineTuningStep {
 public:
  static constexpr char kName[] = "fine-tune";

  FineTuningStep(const LearningInputs& inputs,
                 const StructuralScorer& structural,
                 const PretrainedNetwork& pretrained)
      : inputs_(inputs), structural_(structural), pretrained_(pretrained) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<FineTunedNetwork> Load(const nlohmann::json& record) const;

 private:
  std::filesystem::path NetworkFile() const;
  std::filesystem::path NetworkWithoutPretrainingFile() const;
  std::filesystem::path EmbeddingFile() const;
  bool KeepsPretrained() const;
  std::vector<Link> Positives() const;

  const LearningInputs& inputs_;
  const StructuralScorer& structural_;
  const PretrainedNetwork& pretrained_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FINE_TUNING_STEP_H_
