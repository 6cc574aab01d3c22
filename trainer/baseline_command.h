// `slice-trainer baseline`: what scorers that learn nothing reach on an edge
// list, in seconds and without a bundle.
#ifndef SLICE_TRAINER_BASELINE_COMMAND_H_
#define SLICE_TRAINER_BASELINE_COMMAND_H_

#include <filesystem>

#include "absl/status/status.h"
#include "graphstore/edge_list_importer.h"

namespace slice {

struct BaselineOptions {
  EdgeListImportOptions files;  // `held_out` is filled from the next two
  std::filesystem::path valid, test;
  std::filesystem::path html;  // also write the page here; optional
  int threads = 0;
  bool json = false;
};

// Thresholds from valid, figures on test, on all sets of negatives. Prints to
// stdout.
absl::Status RunBaseline(const BaselineOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_BASELINE_COMMAND_H_
