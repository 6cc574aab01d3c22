// `slice-trainer baseline`: what the comparison methods reach on an edge list,
// without a bundle.
#ifndef SLICE_TRAINER_BASELINE_COMMAND_H_
#define SLICE_TRAINER_BASELINE_COMMAND_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "graphstore/edge_list_importer.h"

namespace slice {

struct BaselineOptions {
  std::string method;           // empty: all that learn nothing, in one table
  EdgeListImportOptions files;  // `held_out` is filled from the next two
  std::filesystem::path valid, test;
  std::filesystem::path out;   // folder for report and embeddings; optional
  std::filesystem::path html;  // also write the page here; optional
  std::vector<std::string> settings;  // "dim=64": parameters of the method
  absl::Duration budget = absl::InfiniteDuration();  // of the training
  size_t rank_positives = 0;  // test links to rank; 0: none
  uint64_t seed = 1;
  int threads = 0;
  bool json = false;
};

// Trains, takes the threshold from valid, measures on test, on all sets of
// negatives. Prints to stdout. `out` receives report.json, report.html and
// report.txt and, of a method with a vector per node, embeddings.npy with
// embeddings.keys. NOT_FOUND for an unknown method; errors of the files, the
// parameters and the training (methods/link_method.h).
absl::Status RunBaseline(const BaselineOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_BASELINE_COMMAND_H_
