// One method on one edge list: trained, measured, written to a folder.
#ifndef SLICE_TRAINER_METHODS_METHOD_RUN_H_
#define SLICE_TRAINER_METHODS_METHOD_RUN_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "graphstore/edge_list_importer.h"
#include "trainer/report/report.h"

namespace slice {

struct MethodRunOptions {
  std::string method;           // empty: all that learn nothing, in one table
  EdgeListImportOptions files;  // `held_out` is filled from the next two
  std::filesystem::path valid, test;
  std::filesystem::path out;  // folder for report and embeddings; optional but
                              // for methods that make a bundle
  // Also publish a bundle here, or publish it here instead of in out/bundle; of
  // methods that score by dot product or are presets of fit. Optional.
  std::filesystem::path bundle;
  std::vector<std::string> settings;  // "dim=64": parameters of the method
  absl::Duration budget = absl::InfiniteDuration();  // of the training
  size_t rank_positives = 0;  // test links to rank; 0: none
  // Graphs of fewer relations are not ranked.
  size_t least_ranked_relations = 0;
  uint64_t seed = 1;
  int threads = 0;                 // 0: all hardware threads
  std::vector<NamedValue> labels;  // of the report
};

// What tells the files of one run from those of another: the beginning of a
// SHA-256 of what all of them hold. Errors of reading.
absl::StatusOr<std::string> DataDigest(const MethodRunOptions& options);

// Trains, takes the threshold from valid, measures on test, on all sets of
// negatives. `out` receives report.json, report.html and report.txt and, of a
// method with a vector per node, embeddings.npy with embeddings.keys; a method
// that is a preset of fit leaves its bundle in out/bundle. Errors of
// FindMethod(), of the files, the parameters and the training
// (methods/link_method.h). INVALID_ARGUMENT when a bundle is asked for that the
// method cannot give, or something is asked of no method.
absl::StatusOr<TrainingReport> RunMethod(const MethodRunOptions& options);

// The seconds and the most memory of the steps of a report.
double SecondsOf(const TrainingReport& report);
double PeakMibOf(const TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_METHOD_RUN_H_
