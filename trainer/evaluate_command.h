// `slice-trainer evaluate`: a bundle's figures on a labelled file.
#ifndef SLICE_TRAINER_EVALUATE_COMMAND_H_
#define SLICE_TRAINER_EVALUATE_COMMAND_H_

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace slice {

struct EvaluateOptions {
  std::filesystem::path bundle;
  std::filesystem::path test;
  // For thresholds of the scorers and baselines beside the model, and so that
  // no valid link is drawn as a negative; optional.
  std::filesystem::path valid;
  std::filesystem::path html;  // also write the report here; optional
  // Also write the links with their answers here; optional. Columns: relation,
  // source, target, label, probability, probability among its kind.
  std::filesystem::path scores;
  std::vector<std::string> shown;  // "relation source target", by key: links
                                   // whose attention the report shows
  // Test links whose ends are ranked among all nodes; 0: none.
  size_t ranking = 0;
  size_t rerank = 200;           // of their candidates are given a context
  bool ranking_only = false;     // report nothing else
  std::string forward = "auto";  // a ForwardPathName: how the network is run
  int threads = 0;
  bool json = false;  // `overall.auroc`, `overall.f1` and more on stdout
};

// Scores the links with the bundle's own thresholds and calibration and prints
// the report to stdout.
absl::Status RunEvaluate(const EvaluateOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATE_COMMAND_H_
