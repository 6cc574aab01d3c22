#include "context/spectral_fold_in.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "context/neighbor_sample.h"

namespace slice {
namespace {

// Factors below this share of the largest are rounding, and are not divided by.
constexpr float kNegligible = 1e-4f;

void DivideBy(std::span<const float> factors, float scale, float* row) {
  float largest = 0;
  for (const float factor : factors) {
    largest = std::max(largest, std::abs(factor));
  }
  for (size_t k = 0; k < factors.size(); ++k) {
    row[k] = std::abs(factors[k]) > kNegligible * largest
                 ? row[k] * scale / factors[k]
                 : 0;
  }
}

void AddScaled(const float* from, float scale, size_t rank, float* to) {
  for (size_t k = 0; k < rank; ++k) to[k] += scale * from[k];
}

float ScaleOf(double links) {
  return static_cast<float>(1 /
                            std::sqrt(links + SpectralVectors::kDegreeOffset));
}

// The links of `node` in one direction, in the graph.
double Links(const GraphView& view, NodeId node, Direction direction) {
  return static_cast<double>(view.snapshot().Arcs(node, direction).size());
}

}  // namespace

FoldedRows::FoldedRows(const SpectralVectors& vectors, const GraphView& view,
                       NodeId node)
    : values_(3 * vectors.rank()) {
  const size_t rank = vectors.rank();
  if (2 * rank > vectors.node_count()) return;
  float* const out = values_.data();
  float* const in = out + rank;
  float* const symmetric = in + rank;
  double links[2] = {};  // visible ones, by direction
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const ArcSpan arcs = view.snapshot().Arcs(node, direction);
    const double stride = Stride(arcs.size(), kMostArcs);
    ForEachStrided(arcs.size(), kMostArcs, [&](size_t i) {
      const NodeId other = arcs.neighbors[i];
      if (!view.IsVisible(node, {other, arcs.relations[i], direction})) return;
      links[static_cast<size_t>(direction)] += stride;
      if (!vectors.Has(other)) return;
      const SpectralVectors::Rows rows = vectors.RowsOf(other);
      const float weight = static_cast<float>(stride);
      // A link out of the node is one into the other.
      const float directed =
          weight * ScaleOf(Links(view, other, Reverse(direction)));
      if (direction == Direction::kOut) {
        AddScaled(rows.in, directed, rank, out);
      } else {
        AddScaled(rows.out, directed, rank, in);
      }
      const double all = Links(view, other, Direction::kOut) +
                         Links(view, other, Direction::kIn);
      AddScaled(rows.symmetric, weight * ScaleOf(all), rank, symmetric);
    });
  }
  DivideBy(vectors.singular_values(), ScaleOf(links[0]), out);
  DivideBy(vectors.singular_values(), ScaleOf(links[1]), in);
  DivideBy(vectors.eigenvalues(), ScaleOf(links[0] + links[1]), symmetric);
  symmetric_square_ = vectors.SymmetricSquare(symmetric);
}

SpectralVectors::Rows FoldedRows::rows() const {
  const size_t rank = values_.size() / 3;
  return {values_.data(), values_.data() + rank, values_.data() + 2 * rank,
          symmetric_square_};
}

void ComputeSpectralFeatures(
    const SpectralVectors& vectors, const GraphView& view, const Link& link,
    std::span<float, SpectralVectors::kFeatures> values) {
  std::optional<FoldedRows> folded[2];
  const auto rows = [&](NodeId node, size_t end) {
    if (vectors.Has(node)) return vectors.RowsOf(node);
    return folded[end].emplace(vectors, view, node).rows();
  };
  const SpectralVectors::Rows source = rows(link.source, 0);
  vectors.Compute(source, rows(link.target, 1), values);
}

}  // namespace slice
