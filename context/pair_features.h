// Pair features: numbers about the two ends of a link and the paths between
// them, read from a view that hides the link itself. pair_features.cc lists
// every feature with its formula.
#ifndef SLICE_CONTEXT_PAIR_FEATURES_H_
#define SLICE_CONTEXT_PAIR_FEATURES_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "context/path_rules.h"
#include "context/path_sums.h"
#include "context/slot_compatibility.h"
#include "context/spectral_vectors.h"
#include "context/walk_vectors.h"
#include "graphstore/graph_view.h"

namespace slice {

// How many neighbours of a node the features follow. Where a node has more,
// they follow a strided sample, and sums over the sample are scaled up.
struct PairFeatureOptions {
  int path_fan_out = 48;        // 3-paths: neighbours of the source
  int path_fan_in = 64;         // 3-paths: neighbours of each of those
  int common_fan_out = 512;     // common neighbours: neighbours of the source,
                                // sampled only when both ends have more
  int popularity_fan_out = 16;  // mean popularity: neighbours of an end
  // Mean popularity two hops away: neighbours of an end, and as many neighbours
  // of each of them.
  int second_popularity_fan_out = 8;
  bool walks = false;  // whether there are features of WalkVectors
};

// Tables learned from the training graph. The features of a null table are 0.
struct PairFeatureTables {
  const SlotCompatibility* slots = nullptr;
  const SpectralVectors* spectral = nullptr;
  const WalkVectors* walks = nullptr;
  const PathRules* rules = nullptr;
};

// Immutable; thread-safe.
class PairFeatures {
 public:
  // Features of single slots and of single types are present only if
  // `relation_count` and `node_type_count` are small.
  PairFeatures(size_t relation_count, size_t node_type_count,
               PairFeatureOptions options = {});

  // One name per feature, in order, such as "common_neighbors.adamic_adar".
  const std::vector<std::string>& names() const { return names_; }

  // Computes the raw values of all features of `link`, always finite.
  // REQUIRES: values.size() == names().size().
  void Compute(const GraphView& view, const Link& link,
               const PairFeatureTables& tables, std::span<float> values) const;

  // Like Compute(), for a link whose path sums are known.
  void ComputeWith(const PathSums& sums, const GraphView& view,
                   const Link& link, const PairFeatureTables& tables,
                   std::span<float> values) const;

  // The path features depend on the path sums and the degrees of the ends
  // alone. They are contiguous in names(), from path_features_begin() on.
  static constexpr size_t kPathFeatures = 43;
  size_t path_features_begin() const { return path_begin_; }
  // A degree is the number of visible distinct neighbours.
  static void ComputePaths(const PathSums& sums, size_t source_degree,
                           size_t target_degree,
                           std::span<float, kPathFeatures> values);

  // The positions in names() of the features of SpectralVectors, of WalkVectors
  // if options.walks, and of RuleEvidence.
  size_t spectral_features_begin() const { return spectral_begin_; }
  size_t walk_features_begin() const { return walk_begin_; }
  size_t rule_features_begin() const { return rule_begin_; }

 private:
  size_t Position(const std::string& name) const;

  size_t relation_count_;
  size_t node_type_count_;
  PairFeatureOptions options_;
  std::vector<std::string> names_;
  size_t path_begin_, spectral_begin_, walk_begin_, rule_begin_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PAIR_FEATURES_H_
