// Spectral features of a link: how similar its ends are in low-rank factors of
// the training graph. Hiding a pair does not change the factors, so training
// uses factors that were computed without the fold of the link
// (docs/leakage.md).
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

// Reads the factors (trainer/statistics/spectral_factors.h) in place: their
// arrays must outlive the object. Immutable; thread-safe.
class SpectralVectors {
 public:
  static constexpr size_t kFeatures = 12;
  // The matrices behind the factors are normalised: each entry is divided by
  // the square roots of its row sum and of its column sum, both plus this.
  static constexpr double kDegreeOffset = 5;
  // In the order of Compute(): see context/spectral_vectors.cc for the
  // formulas.
  static std::span<const std::string_view, kFeatures> FeatureNames();

  // Reads the arrays "spectral.out", "spectral.in", "spectral.symmetric"
  // [nodes, rank] and "spectral.singular_values", "spectral.eigenvalues"
  // [rank]. Returns nullopt when "spectral.singular_values" is absent,
  // NOT_FOUND when it is there and another is missing, and DATA_LOSS when the
  // shapes do not agree.
  static absl::StatusOr<std::optional<SpectralVectors>> FromStatistics(
      const GraphStatistics& statistics, size_t node_count);

  size_t rank() const { return rank_; }
  // How many nodes have rows: those of the lowest ids.
  size_t node_count() const { return nodes_; }
  std::span<const float> singular_values() const { return singular_values_; }
  std::span<const float> eigenvalues() const { return eigenvalues_; }

  // What the factors hold of one node, each [rank].
  struct Rows {
    const float* out = nullptr;
    const float* in = nullptr;
    const float* symmetric = nullptr;
    float symmetric_square = 0;  // sum_k l_k^2 E_k^2
  };
  // Whether the factors have rows of `node`. A node that came after training
  // has none: see context/spectral_fold_in.h.
  bool Has(NodeId node) const { return node < nodes_; }
  // REQUIRES: Has(node).
  Rows RowsOf(NodeId node) const;
  // The symmetric_square of such a row.
  float SymmetricSquare(const float* symmetric) const;

  // Computes the features of a link from `source` to `target`.
  void Compute(const Rows& source, const Rows& target,
               std::span<float, kFeatures> values) const;

  // One end of many links, the anchor, and vectors made of its rows. The
  // features are computed from dot products of these vectors with the rows of
  // the other ends.
  struct Anchor {
    Direction direction = Direction::kOut;  // kOut: the anchor is the source
    // Vectors to multiply with the incoming, outgoing and symmetric rows of the
    // other ends: [3, rank], [3, rank], [5, rank].
    std::vector<float> with_in, with_out, with_symmetric;
    // Squared norms of the anchor's rows: out, in, symmetric, and symmetric
    // weighted by the eigenvalues.
    std::array<float, 4> own;
  };
  // Makes the node of `rows` the anchor, as the source for kOut; reuses the
  // memory of `anchor`.
  void Prepare(const Rows& rows, Direction direction, Anchor& anchor) const;

  // Computes the features of the links between the anchor and each of `nodes`:
  // kFeatures floats from values[i * stride] on for nodes[i]; zeros for a node
  // without rows. Fastest where the ids of `nodes` are consecutive.
  void ComputeEach(const Anchor& anchor, std::span<const NodeId> nodes,
                   float* values, size_t stride) const;

 private:
  // Computes the features for `count` nodes, at most kStretch, whose rows
  // follow each other. `squares` are their symmetric_square.
  void ComputeStretch(const Anchor& anchor, const Rows& first,
                      const float* squares, size_t count, float* values,
                      size_t stride) const;

  size_t nodes_ = 0;
  size_t rank_ = 0;
  std::span<const float> out_, in_, symmetric_;           // [nodes, rank]
  std::span<const float> singular_values_, eigenvalues_;  // [rank]
  std::vector<float> symmetric_squares_;  // [nodes]: sum_k l_k^2 E_k^2
  std::vector<float> walk_weights_;       // [rank]
};

}  // namespace slice

#endif  // SLICE_CONTEXT_SPECTRAL_VECTORS_H_
