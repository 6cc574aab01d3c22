// `slice-trainer compare`: measures comparison methods and slice on the same
// data sets.
#ifndef SLICE_TRAINER_COMPARE_COMMAND_H_
#define SLICE_TRAINER_COMPARE_COMMAND_H_

#include "absl/status/status.h"
#include "common/command/flags.h"
#include "common/command/run_program.h"
#include "trainer/methods/comparison/comparison.h"

namespace slice {

// Runs every method on every data set, except the runs whose results are
// already in options.out. Then writes comparison.json, comparison.md and
// comparison.html to options.out, and prints the Markdown, or with `json` the
// JSON. A run that fails does not stop the others; the command then returns
// FAILED_PRECONDITION at its end. Returns the errors of Compare().
absl::Status RunCompare(const ComparisonOptions& options, bool json);

StatusRun DefineCompare(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_COMPARE_COMMAND_H_
