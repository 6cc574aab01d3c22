// Sets how the outputs of a trained model are read, from valid and train.
#ifndef SLICE_TRAINER_EVALUATION_MODEL_CALIBRATION_H_
#define SLICE_TRAINER_EVALUATION_MODEL_CALIBRATION_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "trainer/evaluation/model_evaluation.h"

namespace slice {

struct CalibratedReading {
  OutputReading reading;
  std::string scorer_reason;  // why its scorer answers by default
};

// Returns evaluation.reading with the default scorer (`forced`, or the one that
// ChooseScorer chooses), the schema prior of each relation, and the
// calibrations of that scorer. `valid` is the result of ScoreValid; its
// answering scorer becomes the default one. Logs what it did.
// FAILED_PRECONDITION when the network lacks the forced scorer.
absl::StatusOr<CalibratedReading> CalibrateModel(
    const ModelEvaluation& evaluation, std::optional<Scorer> forced,
    ScoredSplit& valid);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_MODEL_CALIBRATION_H_
