#include "trainer/evaluation/model_calibration.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "trainer/evaluation/off_schema_limit.h"
#include "trainer/evaluation/scorer_choice.h"
#include "trainer/statistics/schema_prior.h"

namespace slice {
namespace {

// A relation with fewer valid rows mostly follows the common calibration.
constexpr uint64_t kFewRows = 20;

absl::StatusOr<ScorerChoice> ScorerOf(const ScoredSplit& valid,
                                      std::optional<Scorer> forced) {
  if (!forced.has_value()) return ChooseScorer(valid, kEvaluationSeed);
  const std::string name(ScorerName(*forced));
  const bool has = std::any_of(
      valid.methods.begin(), valid.methods.end(),
      [&](const MethodScores& m) { return m.is_model && m.key == name; });
  if (has) return ScorerChoice{*forced, absl::StrCat(name, " was asked for")};
  return absl::FailedPreconditionError(
      absl::StrCat("the network has no scorer ", name,
                   " of its own; leave out --scorer, or train with the preset "
                   "default"));
}

std::string Described(const Shrinkage& shrinkage) {
  return absl::StrFormat(
      "a relation may differ by %g in scale and %g in offset; thresholds: %s%s",
      shrinkage.scale_deviation, shrinkage.offset_deviation,
      shrinkage.threshold_by_probability ? "a common probability"
                                         : "a common logit",
      shrinkage.threshold_rows > 0
          ? absl::StrFormat(", and the relation's own with weight n / (n + %g)",
                            shrinkage.threshold_rows)
          : std::string());
}

void LogCalibration(const OutputReading& reading,
                    const std::array<Shrinkage, kQuestions>& shrinkage) {
  for (const Question question : {Question::kPlausible, Question::kAmongKind}) {
    const auto& relations =
        reading.relations->calibrations[static_cast<size_t>(question)];
    const auto few = std::count_if(
        relations.begin(), relations.end(),
        [](const Calibration& one) { return one.rows < kFewRows; });
    LogInfo(
        "calibration, %s: %d valid rows; %d of %d relations have fewer than %d "
        "and mostly follow the common calibration; %s",
        std::string(QuestionName(question)), reading.of(question).rows, few,
        relations.size(), kFewRows,
        Described(shrinkage[static_cast<size_t>(question)]));
  }
}

}  // namespace

absl::StatusOr<CalibratedReading> CalibrateModel(
    const ModelEvaluation& evaluation, std::optional<Scorer> forced,
    ScoredSplit& valid) {
  const GraphSnapshot& graph = *evaluation.model.snapshot;
  SLICE_ASSIGN_OR_RETURN(ScorerChoice choice, ScorerOf(valid, forced));
  LogInfo("default scorer: %s", choice.reason);
  PutFirst(choice.scorer, valid);
  CalibratedReading calibrated;
  calibrated.reading = evaluation.reading;
  calibrated.reading.scorer = choice.scorer;
  calibrated.scorer_reason = std::move(choice.reason);
  RelationReadings relations;
  relations.schema = FitSchemaPriors(graph);
  calibrated.reading.relations =
      std::make_shared<const RelationReadings>(std::move(relations));
  const auto shrinkage =
      CalibrateReading(valid, graph.relation_count(), calibrated.reading);
  LogCalibration(calibrated.reading, shrinkage);
  SLICE_RETURN_IF_ERROR(
      ApplyOffSchemaLimit(evaluation.model, valid, evaluation.KnownToTuning(),
                          evaluation.threads, calibrated.reading));
  if (calibrated.reading.off_schema_margin > 0) {
    LogInfo("pairs off schema need %.2f more in log-odds to be called links",
            calibrated.reading.off_schema_margin);
  }
  return calibrated;
}

}  // namespace slice
