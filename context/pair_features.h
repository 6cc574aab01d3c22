// Cheap structural evidence for a link: numbers about its two ends and what
// lies between them, read from a view that hides the link itself.
#ifndef SLICE_CONTEXT_PAIR_FEATURES_H_
#define SLICE_CONTEXT_PAIR_FEATURES_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "context/path_rules.h"
#include "context/path_sums.h"
#include "context/slot_compatibility.h"
#include "context/spectral_features.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/graph_view.h"

namespace slice {

struct PairFeatureOptions {
  // Neighbours of the source followed by the 3-path features, and neighbours of
  // each of those looked at: a strided sample beyond, weights scaled back.
  int path_fan_out = 48;
  int path_fan_in = 64;
  // Neighbours of the source compared with the target's when both ends have
  // more: a strided sample, weights scaled back.
  int common_fan_out = 512;
  // Neighbours of an end, and for what is said of theirs of these and of each
  // of these, that mean popularities are over: a strided sample beyond.
  int popularity_fan_out = 16;
  int second_popularity_fan_out = 8;
};

// Tables of the training graph; what is absent makes its features 0.
struct PairFeatureTables {
  const SlotCompatibility* slots = nullptr;
  const SpectralVectors* spectral = nullptr;
  const PathRules* rules = nullptr;
};

// Immutable; thread-safe.
class PairFeatures {
 public:
  // `relation_count` and `node_type_count` decide how many per-slot features
  // there are (see pair_features.cc).
  PairFeatures(size_t relation_count, size_t node_type_count,
               PairFeatureOptions options = {});

  // One name per feature, in order, such as "common_neighbors.adamic_adar".
  const std::vector<std::string>& names() const { return names_; }

  // Raw values of all features of `link`; values.size() must be names().size().
  // Always finite.
  void Compute(const GraphView& view, const Link& link,
               const PairFeatureTables& tables, std::span<float> values) const;

  // The same with the path sums of `link` known already.
  void ComputeWith(const PathSums& sums, const GraphView& view,
                   const Link& link, const PairFeatureTables& tables,
                   std::span<float> values) const;

  // The features that come from path sums alone, which are neighbours in
  // names(), for ends with so many visible neighbours.
  static constexpr size_t kPathFeatures = 43;
  size_t path_features_begin() const { return path_begin_; }
  static void ComputePaths(const PathSums& sums, size_t source_degree,
                           size_t target_degree,
                           std::span<float, kPathFeatures> values);
  // Where those of SpectralVectors are.
  size_t spectral_features_begin() const { return spectral_begin_; }
  // Where those of RuleEvidence are.
  size_t rule_features_begin() const { return rule_begin_; }

 private:
  size_t Position(const std::string& name) const;

  size_t relation_count_;
  size_t node_type_count_;
  PairFeatureOptions options_;
  std::vector<std::string> names_;
  size_t path_begin_, spectral_begin_, rule_begin_;
};

// z = sign(x) log1p(|x| / c), then (z - mean) / deviation, clipped to +-6
// (model.md 4a). c is the 5 % quantile of the feature's non-zero |x| over the
// training sample. Thread-compatible; constant once made.
class FeatureScaling {
 public:
  // Learns from rows x features raw values, row-major. A constant feature
  // scales to 0.
  static FeatureScaling Fit(std::span<const float> rows, size_t feature_count);

  // As stored in a bundle under "pair_features.scaling", [3, features].
  // NOT_FOUND or DATA_LOSS.
  static absl::StatusOr<FeatureScaling> FromStatistics(
      const GraphStatistics& statistics, size_t feature_count);
  void AddTo(GraphStatistics& statistics) const;

  // Scales one row in place, or the part of it that begins at feature `first`.
  void Apply(std::span<float> row, size_t first = 0) const;

 private:
  std::vector<float> unit_, mean_, inverse_deviation_;  // [features] each
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PAIR_FEATURES_H_
