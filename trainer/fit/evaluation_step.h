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
inline constexpr int kEvaluationVersion = 14;

struct EvaluatedModel {
  OutputReading reading;                  // calibrated
  std::string scorer_reason;              // as in the manifest
  std::map<std::string, double> metrics;  // for the manifest, by name
  BinaryMetrics test;  // its positives, negatives, auroc and accuracy alone
  std::filesystem::path report_json;
  std::string fingerprint;
};

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
  // What pre-training is worth, where a network without it was trained too.
  absl::Status ComparePretraining(size_t rows, TrainingReport& report) const;

  const TrainedModel& model_;
  const std::vector<StepTime> finished_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_EVALUATION_STEP_H_
