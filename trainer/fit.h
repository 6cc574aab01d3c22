// The whole way from an edge list to a bundle.
#ifndef SLICE_TRAINER_FIT_H_
#define SLICE_TRAINER_FIT_H_

#include "absl/status/statusor.h"
#include "trainer/fit_options.h"
#include "trainer/report.h"

namespace slice {

// Runs every step up to options.last_step, skipping those that an earlier run
// with the same inputs and options has finished, and publishes the bundle at
// options.out. Returns the report (empty before the evaluation step).
// INVALID_ARGUMENT from the options and the files; FAILED_PRECONDITION when
// held-out links are in the training file.
absl::StatusOr<TrainingReport> Fit(const FitOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_H_
