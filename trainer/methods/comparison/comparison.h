// Compares methods with each other: every method on every data set, with
// several seeds.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_H_

#include "absl/status/statusor.h"
#include "trainer/methods/comparison/comparison_types.h"

namespace slice {

// Runs every method on every data set, except where finished runs can be
// reused, and gathers the figures of all runs. When a run fails, its cell holds
// the reason and the other cells are still filled. INVALID_ARGUMENT when the
// options name an unknown data set or method. Returns the errors of
// ReadComparedRuns().
absl::StatusOr<Comparison> Compare(const ComparisonOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_H_
