#include "trainer/fit/validation_step.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "common/status_macros.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/fit/evaluation_step.h"
#include "trainer/fit/frozen_model.h"
#include "trainer/fit/step_fingerprint.h"

namespace slice {

using Json = nlohmann::json;

absl::StatusOr<std::array<BinaryMetrics, kQuestions>> MeasureOnValid(
    ModelEvaluation evaluation) {
  evaluation.baselines = false;
  SLICE_ASSIGN_OR_RETURN(const ScoredSplit scored, ScoreValid(evaluation));
  std::array<BinaryMetrics, kQuestions> by_question;
  const NegativeSet sets[] = {NegativeSet::kPublished, NegativeSet::kTyped};
  for (size_t q = 0; q < kQuestions; ++q) {
    const std::vector<float> scores = scored.ScoresOf(scored.model(), sets[q]);
    const std::vector<uint8_t> labels = scored.LabelsOf(sets[q]);
    by_question[q] =
        EvaluateBinary(scores, labels, BestF1Threshold(scores, labels));
  }
  return by_question;
}

absl::StatusOr<StepFingerprint> ValidationStep::Fingerprint() const {
  return MakeStepFingerprint(
      kName, {{"the step fine-tune", model_.fine_tuned.fingerprint},
              {"the version of the evaluation", kEvaluationVersion}});
}

absl::StatusOr<Json> ValidationStep::Run() const {
  SLICE_ASSIGN_OR_RETURN(
      const FrozenModel frozen,
      FrozenModel::Load(model_, model_.fine_tuned.network_file));
  SLICE_ASSIGN_OR_RETURN(const auto by_question,
                         MeasureOnValid(frozen.Evaluation()));
  Json figures = Json::array();
  for (const BinaryMetrics& metrics : by_question)
    figures.push_back({metrics.auroc, metrics.f1});
  return figures;
}

absl::StatusOr<ValidationFigures> ValidationStep::Load(
    const Json& record) const {
  ValidationFigures figures;
  for (size_t q = 0; q < kQuestions; ++q) {
    figures.by_question[q].auroc = record[q][0].get<double>();
    figures.by_question[q].f1 = record[q][1].get<double>();
  }
  return figures;
}

}  // namespace slice
