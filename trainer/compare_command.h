// `slice-trainer compare`: comparison methods against each other and slice.
#ifndef SLICE_TRAINER_COMPARE_COMMAND_H_
#define SLICE_TRAINER_COMPARE_COMMAND_H_

#include "absl/status/status.h"
#include "trainer/methods/comparison/comparison.h"

namespace slice {

// Compares and writes comparison.json, comparison.md and comparison.html to
// options.out; prints the Markdown, or with `json` the JSON. Runs that are in
// options.out already are not run again. FAILED_PRECONDITION when every run
// failed.
absl::Status RunCompare(const ComparisonOptions& options, bool json);

}  // namespace slice

#endif  // SLICE_TRAINER_COMPARE_COMMAND_H_
