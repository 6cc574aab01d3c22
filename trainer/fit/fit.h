// Trains a model: the whole way from an edge list to a bundle.
#ifndef SLICE_TRAINER_FIT_FIT_H_
#define SLICE_TRAINER_FIT_FIT_H_

#include <array>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/prediction.h"
#include "trainer/fit/fit_options.h"
#include "trainer/report/report_parts.h"

namespace slice {

// Runs every step up to options.last_step, except those that an earlier run
// with the same inputs and options finished. The last step publishes the
// bundle, which holds the report, at options.out. INVALID_ARGUMENT when an
// option or a file is wrong; FAILED_PRECONDITION when held-out links are in the
// training file; UNAVAILABLE when another run works on the same options.out.
absl::Status Fit(const FitOptions& options);

// The figures of a run on valid.
struct FitMeasurement {
  // By question, at the threshold of the best F1: "plausible" on the published
  // negatives, "among kind" on type-matched ones.
  std::array<BinaryMetrics, kQuestions> valid;
  std::vector<StepTime> steps;
};

// Runs the steps up to fine-tuning as Fit does, whatever options.last_step
// says. Then measures the model on valid alone, and publishes nothing. Returns
// the errors of Fit.
absl::StatusOr<FitMeasurement> MeasureFit(const FitOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FIT_H_
