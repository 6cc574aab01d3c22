// `slice-trainer report`: the page of one run, or the summary of several.
#ifndef SLICE_TRAINER_REPORT_COMMAND_H_
#define SLICE_TRAINER_REPORT_COMMAND_H_

#include <filesystem>
#include <vector>

#include "absl/status/status.h"
#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

struct ReportOptions {
  // Bundles, or JSON files that `fit --json` or `evaluate --json` printed.
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path html;  // also write the page here; optional
  bool summary = false;        // summarize even a single input
  bool json = false;
};

// Prints the figures of one input. Of several inputs it prints the means and
// the deviations, and the differences between methods, taken run by run.
absl::Status RunReport(const ReportOptions& options);

StatusRun DefineReport(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_COMMAND_H_
