// What a run of one method on one edge list is asked for.
#ifndef SLICE_TRAINER_METHODS_METHOD_RUN_OPTIONS_H_
#define SLICE_TRAINER_METHODS_METHOD_RUN_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "graphstore/edge_list_import_options.h"
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

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_METHOD_RUN_OPTIONS_H_
