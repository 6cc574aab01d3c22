// `slice-trainer evaluate`: a bundle's figures on a labelled file.
#ifndef SLICE_TRAINER_EVALUATE_COMMAND_H_
#define SLICE_TRAINER_EVALUATE_COMMAND_H_

#include <filesystem>

#include "absl/status/status.h"

namespace slice {

struct EvaluateOptions {
  std::filesystem::path bundle;
  std::filesystem::path test;
  std::filesystem::path html;  // also write the report here; optional
  int threads = 0;
  bool json = false;  // `overall.auroc`, `overall.f1` and more on stdout
};

// Scores the links with the bundle's own threshold and calibration and prints
// the report to stdout.
absl::Status RunEvaluate(const EvaluateOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATE_COMMAND_H_
