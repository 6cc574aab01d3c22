// Spectral evidence for a link: how near its ends lie in low-rank factors of
// the training graph. Pair-wise hiding cannot clean these, so in training the
// factors are those of the graph without the pair's fold (docs/leakage.md).
#ifndef SLICE_CONTEXT_SPECTRAL_VECTORS_H_
#define SLICE_CONTEXT_SPECTRAL_VECTORS_H_

#include <array>
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

// Factors as in trainer/statistics/spectral_factors.h. Views; whatever holds
// the arrays must outlive them. Immutable; thread-safe.
class SpectralVectors {
 public:
  static constexpr size_t kFeatures = 12;
  // In the order of Compute(): see context/spectral_vectors.cc for the
  // formulas.
  static std::span<const std::string_view, kFeatures> FeatureNames();

  // From the arrays "spectral.out", "spectral.in", "spectral.symmetric"
  // [nodes, rank] and "spectral.singular_values", "spectral.eigenvalues"
  // [rank]; nothing when absent. DATA_LOSS when the shapes do not agree.
  static absl::StatusOr<std::optional<SpectralVectors>> FromStatistics(
      const GraphStatistics& statistics, size_t node_count);

  // 0 for a node that the factors do not know (id beyond theirs).
  void Compute(NodeId source, NodeId target,
               std::span<float, kFeatures> values) const;

  // What is multiplied with a node's incoming, outgoing and symmetric rows when
  // the other end of its link is known.
  struct Anchor {
    bool known = false;                                    // to the factors
    Direction direction = Direction::kOut;                 // kOut: the source
    std::vector<float> with_in, with_out, with_symmetric;  // [3, 3, 5 x rank]
    // Norms, squared: out, in, symmetric, and this weighted by l^2.
    std::array<float, 4> own;
  };
  // The anchor in the place that `direction` says; its memory is reused.
  void Prepare(NodeId node, Direction direction, Anchor& anchor) const;

  // Compute() of the links of an anchor with each of `nodes`: kFeatures floats
  // at every `stride`. The fastest where nodes follow one another by id.
  void ComputeEach(const Anchor& anchor, std::span<const NodeId> nodes,
                   float* values, size_t stride) const;

 private:
  // Of `count` nodes from `first` on, at most kStretch.
  void ComputeStretch(const Anchor& anchor, NodeId first, size_t count,
                      float* values, size_t stride) const;

  size_t nodes_ = 0;
  size_t rank_ = 0;
  std::span<const float> out_, in_, symmetric_;           // [nodes, rank]
  std::span<const float> singular_values_, eigenvalues_;  // [rank]
  std::vector<float> symmetric_squares_;  // [nodes]: sum_k l_k^2 E_k^2
  std::vector<float> walk_weights_;       // [rank]
};

}  // namespace slice

#endif  // SLICE_CONTEXT_SPECTRAL_VECTORS_H_
