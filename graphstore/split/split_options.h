// How the links of one file are split into train, valid and test.
#ifndef SLICE_GRAPHSTORE_SPLIT_SPLIT_OPTIONS_H_
#define SLICE_GRAPHSTORE_SPLIT_SPLIT_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

enum class SplitRule {
  kRandom,  // pairs of nodes at random; all links of a pair stay together
  kTime,    // the links with the latest times
  kNewest,  // the links whose first row is nearest to the end of the file
  kNodes,   // all links of some sources, drawn at random
};

// "random", "time", "newest" and "nodes".
std::string_view SplitRuleName(SplitRule rule);
// INVALID_ARGUMENT for another name.
absl::StatusOr<SplitRule> ParseSplitRule(std::string_view name);

struct SplitOptions {
  std::filesystem::path links;
  std::filesystem::path nodes;  // optional; its keys may be in negatives
  LinkFileTexts link_files;     // how `links` is written
  SplitRule rule = SplitRule::kRandom;
  // Shares of the links, or of the sources with kNodes, that may be held out.
  double valid_share = 0.1, test_share = 0.1;
  // With kNodes: only links of this relation are held out. Empty: all links of
  // the drawn sources.
  std::string relation;
  uint64_t seed = 1;
  // Links of this graph stay in train, because a model that the training
  // starts from, or is compared with, has learned them. May be null.
  std::shared_ptr<const GraphSnapshot> learned;

  // INVALID_ARGUMENT that names a wrong value.
  absl::Status Validate() const;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_SPLIT_SPLIT_OPTIONS_H_
