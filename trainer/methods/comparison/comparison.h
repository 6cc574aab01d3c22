// Compares methods with each other: every data set, every method, some seeds.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_H_

#include "absl/status/statusor.h"
#include "trainer/methods/comparison/comparison_types.h"

namespace slice {

// Runs what is not there yet and gathers everything. A run that fails leaves
// its reason in its cell; the others go on. INVALID_ARGUMENT when
// the options name what is not there; errors of ReadComparedRuns.
absl::StatusOr<Comparison> Compare(const ComparisonOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_H_
