// `slice-trainer evaluate`: measures a bundle on a file of labelled links.
#ifndef SLICE_TRAINER_EVALUATE_COMMAND_H_
#define SLICE_TRAINER_EVALUATE_COMMAND_H_

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

struct EvaluateOptions {
  std::filesystem::path bundle;
  std::filesystem::path test;
  // Labelled links; optional. The thresholds of the baselines, and of all
  // scorers but the one that answers, are chosen on them. Their positives are
  // never drawn as negatives.
  std::filesystem::path valid;
  std::filesystem::path html;  // also write the report here; optional
  // Also write the test links with their answers to this file; optional.
  // Columns: relation, source, target, label, probability that the link is
  // plausible, probability among its kind.
  std::filesystem::path scores;
  // Links whose attention the report shows: "relation source target", by key.
  std::vector<std::string> shown;
  // How many test links have their ends ranked among all nodes.
  size_t ranking = 0;
  // How many of the best candidates of a ranking are scored with a context.
  size_t rerank = 200;
  bool ranking_only = false;       // report the ranking alone
  std::string scorer;              // answers; empty: the bundle's own
  bool explanations_only = false;  // report the fidelity alone
  std::string forward = "auto";    // a ForwardPathName: how the network is run
  int threads = 0;
  bool json = false;  // print the report as JSON
};

// Scores the links of options.test, with the temperatures and thresholds of the
// bundle, and prints the report to stdout.
absl::Status RunEvaluate(const EvaluateOptions& options);

StatusRun DefineEvaluate(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATE_COMMAND_H_
