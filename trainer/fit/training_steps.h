// The steps from imported files to a trained network. `fit` runs them, and the
// step that compares two ways to train runs them twice.
#ifndef SLICE_TRAINER_FIT_TRAINING_STEPS_H_
#define SLICE_TRAINER_FIT_TRAINING_STEPS_H_

#include <optional>

#include "absl/status/statusor.h"
#include "trainer/fit/fit_options.h"
#include "trainer/fit/fit_step.h"
#include "trainer/fit/import_step.h"
#include "trainer/fit/step_log.h"
#include "trainer/fit/trained_model.h"

namespace slice {

// Runs the steps after the import, up to fine-tuning. Returns nullopt when
// `last_step` comes before fine-tuning. `options` must outlive the result.
absl::StatusOr<std::optional<TrainedModel>> RunTrainingSteps(
    const FitOptions& options, ImportedTraining training, FitStep last_step,
    StepLog& log);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_TRAINING_STEPS_H_
