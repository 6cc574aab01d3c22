#include "trainer/fit/validation_step.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "common/status_macros.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/fit/evaluation_step.h"
#include "trainer/fit/frozen_model.h"
#include "trainer/fit/step_fingerprint.h"

namespace slice {

using Json = nlohmann::json;

absl::StatusOr<StepFingerprint> ValidationStep::Fingerprint() const {
  return MakeStepFingerprint(
      kName, {{"the step fine-tune", model_.fine_tuned.fingerprint},
              {"the version of the evaluation", kEvaluationVersion}});
}

absl::StatusOr<Json> ValidationStep::Run() const {
  SLICE_ASSIGN_OR_RETURN(
      const FrozenModel frozen,
      FrozenModel::Load(model_, model_.fine_tuned.network_file));
  ModelEvaluation evaluation = frozen.Evaluation();
  evaluation.baselines = false;
  SLICE_ASSIGN_OR_RETURN(const ScoredSplit scored, ScoreValid(evaluation));
  Json figures = Json::array();
  for (const NegativeSet set : {NegativeSet::kPublished, NegativeSet::kTyped}) {
    const std::vector<float> scores = scored.ScoresOf(scored.model(), set);
    const std::vector<uint8_t> labels = scored.LabelsOf(set);
    const BinaryMetrics metrics =
        EvaluateBinary(scores, labels, BestF1Threshold(scores, labels));
    figures.push_back({metrics.auroc, metrics.f1});
  }
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
