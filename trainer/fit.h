// The whole way from an edge list to a bundle.
#ifndef SLICE_TRAINER_FIT_H_
#define SLICE_TRAINER_FIT_H_

#include "absl/status/status.h"
#include "trainer/fit_options.h"

namespace slice {

// Runs every step up to options.last_step, skipping those that an earlier run
// with the same inputs and options has finished, and publishes the bundle, its
// report among its members, at options.out. INVALID_ARGUMENT from the options
// and the files; FAILED_PRECONDITION when held-out links are in the training
// file.
absl::Status Fit(const FitOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_H_
