// `slice-trainer gate`: decides whether a bundle may replace another.
#ifndef SLICE_TRAINER_GATE_COMMAND_H_
#define SLICE_TRAINER_GATE_COMMAND_H_

#include <cstddef>
#include <filesystem>
#include <ostream>

#include "absl/status/status.h"
#include "common/asked_link_file.h"
#include "common/command/flags.h"
#include "common/command/run_program.h"
#include "trainer/gate/gate_verdict.h"

namespace slice {

struct GateOptions {
  std::filesystem::path candidate, current;  // bundles
  AskedLinkFile test;  // labelled links, or positives alone
  GateTestOptions verdict;
  // The current bundle answers on the graph of the candidate.
  bool same_graph = false;
  size_t ranking = 500;  // how many links are asked about in a ranking
  int threads = 0;
  bool json = false;
};

// Compares both bundles on the links of the test file and writes the report to
// `out`. OK when the candidate may replace the current bundle; ABORTED when it
// is worse beyond its confidence interval, over all relations or by one.
// FAILED_PRECONDITION when no measure has as many links and non-links as it
// needs, and when fewer than verdict.least_links links are new to both
// bundles, both with exit status 3; the errors of OfflineModel::Open,
// ReadNamedLinks and of the scorers.
absl::Status RunGate(const GateOptions& options, std::ostream& out);

StatusRun DefineGate(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_GATE_COMMAND_H_
