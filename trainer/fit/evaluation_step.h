// The step `evaluate`: calibrates the model on valid, measures it on test, and
// writes report/.
#ifndef SLICE_TRAINER_FIT_EVALUATION_STEP_H_
#define SLICE_TRAINER_FIT_EVALUATION_STEP_H_

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/prediction.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/trained_model.h"
#include "trainer/report/report.h"
#include "trainer/report/report_parts.h"

namespace slice {

// Part of the fingerprints of the steps that measure. Increase it when a report
// comes to hold something else, so that old reports are made anew.
inline constexpr int kEvaluationVersion = 13;

struct EvaluatedModel {
  OutputReading reading;                  // calibrated
  std::string scorer_reason;              // as in the manifest
  std::map<std::string, double> metrics;  // for the manifest, by name
  std::filesystem::path report_json;
  std::string fingerprint;
};

// Keeps the time of the evaluation below that of training, by the number of
// examples that training learns from. A held-out row costs about five examples
// in all, for it and its negatives by the model and the baselines. A tenth of
// an example is one candidate of a question, and a question also costs its walk
// through the graph. A training that is long enough for all questions has no
// such limit.
EvaluationLimits EvaluationLimitsOf(const FitOptions& options, size_t links);

// A step as finish_step.h describes it; `model` must outlive it. `finished` are
// the steps before this one, which the report lists.
class EvaluationStep {
 public:
  static constexpr char kName[] = "evaluate";

  EvaluationStep(const TrainedModel& model, std::vector<StepTime> finished)
      : model_(model), finished_(std::move(finished)) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<EvaluatedModel> Load(const nlohmann::json& record) const;

 private:
  std::filesystem::path ReportFolder() const;
  TrainingReport EmptyReport() const;
  // The AUROC of the context scorer of `network` on at most `rows` of test.
  absl::StatusOr<double> ContextAuroc(const std::filesystem::path& network,
                                      size_t rows) const;

  const TrainedModel& model_;
  const std::vector<StepTime> finished_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_EVALUATION_STEP_H_
