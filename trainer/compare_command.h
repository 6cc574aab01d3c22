// `slice-trainer compare`: comparison methods against each other and slice.
#ifndef SLICE_TRAINER_COMPARE_COMMAND_H_
#define SLICE_TRAINER_COMPARE_COMMAND_H_

#include "absl/status/status.h"
#include "common/command/flags.h"
#include "common/command/run_program.h"
#include "trainer/methods/comparison/comparison.h"

namespace slice {

// Writes comparison.json, comparison.md and comparison.html to options.out and
// prints the Markdown, or with `json` the JSON. Runs whose results are in
// options.out are not repeated. FAILED_PRECONDITION when a run failed, after
// all ran.
absl::Status RunCompare(const ComparisonOptions& options, bool json);

StatusRun DefineCompare(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_COMPARE_COMMAND_H_
