// `slice-trainer evaluate`: the figures of a bundle on a labelled file.
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
  // Sets the thresholds of the other scorers and of the baselines, and keeps
  // valid links from being drawn as negatives; optional.
  std::filesystem::path valid;
  std::filesystem::path html;  // also write the report here; optional
  // Also write the links with their answers here; optional. Columns: relation,
  // source, target, label, probability, probability among its kind.
  std::filesystem::path scores;
  // Links whose attention the report shows: "relation source target", by key.
  std::vector<std::string> shown;
  size_t ranking = 0;  // test links whose ends are ranked among all nodes
  size_t rerank =
      200;  // candidates of a ranking that are scored with a context
  bool ranking_only = false;     // report the ranking alone
  std::string forward = "auto";  // a ForwardPathName: how the network is run
  int threads = 0;
  bool json = false;  // `overall.auroc`, `overall.f1` and more on stdout
};

// Scores the links with the bundle's own thresholds and calibration and prints
// the report to stdout.
absl::Status RunEvaluate(const EvaluateOptions& options);

StatusRun DefineEvaluate(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATE_COMMAND_H_
