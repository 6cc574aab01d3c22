// `slice-trainer baseline`: trains one comparison method on an edge list, and
// measures it.
#ifndef SLICE_TRAINER_BASELINE_COMMAND_H_
#define SLICE_TRAINER_BASELINE_COMMAND_H_

#include <filesystem>

#include "absl/status/status.h"
#include "common/command/flags.h"
#include "common/command/run_program.h"
#include "trainer/methods/method_run.h"

namespace slice {

struct BaselineOptions {
  MethodRunOptions run;
  std::filesystem::path html;  // also write the report here; optional
  bool json = false;
};

// Trains and measures the method, and prints its report to stdout. Returns the
// errors of RunMethod.
absl::Status RunBaseline(const BaselineOptions& options);

StatusRun DefineBaseline(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_BASELINE_COMMAND_H_
