// Spectral evidence for a link: how near its ends lie in low-rank factors of
// the training graph. Pair-wise hiding cannot clean these, so in training the
// factors are those of the graph without the pair's fold (docs/leakage.md).
#ifndef SLICE_CONTEXT_SPECTRAL_FEATURES_H_
#define SLICE_CONTEXT_SPECTRAL_FEATURES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/types.h"

namespace slice {

// Factors as in trainer/spectral_factors.h. Views; whatever holds the arrays
// must outlive them. Immutable; thread-safe.
class SpectralVectors {
 public:
  static constexpr size_t kFeatures = 12;
  // In the order of Compute(): see spectral_features.cc for the formulas.
  static std::span<const std::string_view, kFeatures> FeatureNames();

  // From the arrays "spectral.out", "spectral.in", "spectral.symmetric"
  // [nodes, rank] and "spectral.singular_values", "spectral.eigenvalues"
  // [rank]; nothing when absent. DATA_LOSS when the shapes do not agree.
  static absl::StatusOr<std::optional<SpectralVectors>> FromStatistics(
      const GraphStatistics& statistics, size_t node_count);

  // 0 for a node that the factors do not know (id beyond theirs).
  void Compute(NodeId source, NodeId target,
               std::span<float, kFeatures> values) const;

  // The same for the links of one anchor, in the place that `direction` says,
  // with every node in the other: [nodes, kFeatures].
  void ComputeAll(NodeId anchor, Direction direction, std::span<float> values,
                  int threads = 1) const;

 private:
  struct Anchor;
  void Prepare(NodeId node, Anchor& anchor) const;
  // Of `count` nodes, at most kStretch, with the anchor: [count, kFeatures].
  void ComputeStretch(const Anchor& anchor, Direction direction, NodeId first,
                      size_t count, float* values) const;

  size_t nodes_ = 0;
  size_t rank_ = 0;
  std::span<const float> out_, in_, symmetric_;           // [nodes, rank]
  std::span<const float> singular_values_, eigenvalues_;  // [rank]
  std::vector<float> symmetric_squares_;  // [nodes]: sum_k l_k^2 E_k^2
  std::vector<float> walk_weights_;       // [rank]
};

}  // namespace slice

#endif  // SLICE_CONTEXT_SPECTRAL_FEATURES_H_
