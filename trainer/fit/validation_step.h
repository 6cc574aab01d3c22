// The step `valid`, which only sweeps run: measures the model on the valid
// links, in place of an evaluation on test.
#ifndef SLICE_TRAINER_FIT_VALIDATION_STEP_H_
#define SLICE_TRAINER_FIT_VALIDATION_STEP_H_

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "model/prediction.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/trained_model.h"
#include "trainer/metrics.h"

namespace slice {

// By question: "plausible" on the published negatives of valid, "among kind" on
// type-matched ones, each at the threshold of the best F1.
absl::StatusOr<std::array<BinaryMetrics, kQuestions>> MeasureOnValid(
    ModelEvaluation evaluation);

struct ValidationFigures {
  // As MeasureOnValid gives them. Only AUROC and F1 are set.
  std::array<BinaryMetrics, kQuestions> by_question;
  std::string fingerprint;
};

// A step as finish_step.h describes it; `model` must outlive it.
class ValidationStep {
 public:
  static constexpr char kName[] = "valid";

  explicit ValidationStep(const TrainedModel& model) : model_(model) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<ValidationFigures> Load(const nlohmann::json& record) const;

 private:
  const TrainedModel& model_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_VALIDATION_STEP_H_
