// The options of one run of a method on an edge list.
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
  std::string method;  // empty: all methods that learn nothing, in one table
  EdgeListImportOptions files;  // RunMethod() fills `held_out`
  std::filesystem::path valid, test;
  // The folder for report and embeddings. Optional, but a preset of fit needs
  // `out` or `bundle`.
  std::filesystem::path out;
  // Where to publish a bundle. A method that scores by dot product publishes it
  // in addition to `out`; a preset of fit publishes it here instead of in
  // out/bundle. Other methods cannot make one. Optional.
  std::filesystem::path bundle;
  std::vector<std::string> settings;  // parameters, such as "dim=64"
  absl::Duration budget = absl::InfiniteDuration();  // of the training
  size_t rank_positives = 0;  // test links to rank; 0: none
  // On a graph with fewer relations, no links are ranked.
  size_t least_ranked_relations = 0;
  // LEAKY: the method also learns from the positives of valid and test, as in
  // the published protocol.
  bool leaky = false;
  uint64_t seed = 1;
  int threads = 0;                 // 0: all hardware threads
  std::vector<NamedValue> labels;  // labels of the report
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_METHOD_RUN_OPTIONS_H_
