// `slice-trainer report`: the page of one run, or the summary of several.
#ifndef SLICE_TRAINER_REPORT_COMMAND_H_
#define SLICE_TRAINER_REPORT_COMMAND_H_

#include <filesystem>
#include <vector>

#include "absl/status/status.h"

namespace slice {

struct ReportOptions {
  // Bundles, or JSON files as `evaluate --json` and `fit --json` write them.
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path html;  // also write the page here; optional
  bool summary = false;        // means and deviations of a single input, too
  bool json = false;
};

// With one input its page and figures; with several their means, deviations
// and paired differences. Prints to stdout.
absl::Status RunReport(const ReportOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_COMMAND_H_
