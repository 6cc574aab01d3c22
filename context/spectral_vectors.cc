// Computes the spectral features of links. A is the normalised adjacency
// matrix, and U diag(s) V^T approximates it: "out" rows U, singular values s,
// "in" rows V. E and l are the eigenvectors and eigenvalues of its symmetric
// counterpart. For the link from u to v:
//   out_in, in_out            sum_k s_k U_uk V_vk, and the same from v to u
//   {out_in,in_out,out_out,in_in}_cosine
//                             cosine of the two rows named, that of u first
//   symmetric_{1,2,3}         sum_k l_k^p E_uk E_vk with p = 1, 2, 3: walks of
//                             p steps
//   symmetric_walks           the same with 0.85^2 l^2 / (1 - 0.85 l) in place
//                             of l^p: all walks of two or more steps, damped
//   symmetric_cosine          cosine of E_u and E_v
//   symmetric_2_normalized    symmetric_2(u, v) divided by the square root of
//                             symmetric_2(u, u) * symmetric_2(v, v)
// A feature is 0 where a row is 0 (a node without links). A sum over k is 0
// where it is within rounding of 0. This matters in graphs with fewer nodes
// than factors: there the rows of two nodes are orthogonal, and what rounding
// leaves of their product differs between processors.
//
// One end of the links is the anchor. Prepare() weights its rows by s or by
// powers of l; the features come from dot products of these vectors with the
// rows of the other ends. Other ends with consecutive ids lie next to each
// other in memory and are multiplied in one go (ComputeStretch).
#include "context/spectral_vectors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "context/node_stretches.h"
#include "context/vector_products.h"

namespace slice {
namespace {

constexpr float kDamping = 0.85f;
constexpr float kLeastGap = 0.05f;  // of 1 - 0.85 l, in case l is above 1
// A dot product of rows below this share of the product of their norms comes
// from rounding.
constexpr float kRounding = 1e-6f;

float WalkWeight(float eigenvalue) {
  return kDamping * kDamping * eigenvalue * eigenvalue /
         std::max(1 - kDamping * eigenvalue, kLeastGap);
}

// `product`, or 0 where it is within rounding of 0. `squares` is the product of
// the squared norms of the two rows.
float Rounded(float product, float squares) {
  return product * product < kRounding * kRounding * squares ? 0 : product;
}

float Cosine(float product, float squares) {
  return OverRoot(Rounded(product, squares), squares);
}

}  // namespace

std::span<const std::string_view, SpectralVectors::kFeatures>
SpectralVectors::FeatureNames() {
  static constexpr std::string_view kNames[kFeatures] = {
      "out_in",          "in_out",           "out_in_cosine",
      "in_out_cosine",   "out_out_cosine",   "in_in_cosine",
      "symmetric_1",     "symmetric_2",      "symmetric_3",
      "symmetric_walks", "symmetric_cosine", "symmetric_2_normalized"};
  return kNames;
}

absl::StatusOr<std::optional<SpectralVectors>> SpectralVectors::FromStatistics(
    const GraphStatistics& statistics, size_t node_count) {
  SpectralVectors vectors;
  const struct {
    const char* name;
    std::span<const float>* values;
    bool per_node;
  } arrays[] = {{"spectral.singular_values", &vectors.singular_values_, false},
                {"spectral.eigenvalues", &vectors.eigenvalues_, false},
                {"spectral.out", &vectors.out_, true},
                {"spectral.in", &vectors.in_, true},
                {"spectral.symmetric", &vectors.symmetric_, true}};
  if (!statistics.Get(arrays[0].name).ok()) return std::nullopt;
  vectors.nodes_ = node_count;
  for (const auto& [name, values, per_node] : arrays) {
    SLICE_ASSIGN_OR_RETURN(const NamedArray* array, statistics.Get(name));
    if (vectors.rank_ == 0) vectors.rank_ = array->values.size();
    const size_t expected = (per_node ? node_count : 1) * vectors.rank_;
    if (array->values.size() != expected) {
      return absl::DataLossError(
          absl::StrCat(name, " holds ", array->values.size(), " values, not ",
                       expected, ": train the bundle again"));
    }
    *values = array->values;
  }
  for (size_t node = 0; node < node_count; ++node) {
    vectors.symmetric_squares_.push_back(vectors.SymmetricSquare(
        vectors.symmetric_.data() + node * vectors.rank_));
  }
  for (const float value : vectors.eigenvalues_) {
    vectors.walk_weights_.push_back(WalkWeight(value));
  }
  return vectors;
}

float SpectralVectors::SymmetricSquare(const float* symmetric) const {
  float squares = 0;
  for (size_t k = 0; k < rank_; ++k) {
    const float x = eigenvalues_[k] * symmetric[k];
    squares += x * x;
  }
  return squares;
}

SpectralVectors::Rows SpectralVectors::RowsOf(NodeId node) const {
  const size_t begin = size_t{node} * rank_;
  return {out_.data() + begin, in_.data() + begin, symmetric_.data() + begin,
          symmetric_squares_[node]};
}

void SpectralVectors::Prepare(const Rows& rows, Direction direction,
                              Anchor& anchor) const {
  anchor.direction = direction;
  const float* const out = rows.out;
  const float* const in = rows.in;
  const float* const e = rows.symmetric;
  anchor.with_in.resize(3 * rank_);
  anchor.with_out.resize(3 * rank_);
  anchor.with_symmetric.resize(5 * rank_);
  anchor.own = {};
  for (size_t k = 0; k < rank_; ++k) {
    const float value = eigenvalues_[k];
    anchor.with_in[k] = singular_values_[k] * out[k];
    anchor.with_out[k] = singular_values_[k] * in[k];
    anchor.with_in[rank_ + k] = anchor.with_out[2 * rank_ + k] = out[k];
    anchor.with_in[2 * rank_ + k] = anchor.with_out[rank_ + k] = in[k];
    const float weights[] = {value, value * value, value * value * value,
                             walk_weights_[k], 1.0f};
    for (size_t i = 0; i < 5; ++i) {
      anchor.with_symmetric[i * rank_ + k] = weights[i] * e[k];
    }
    anchor.own[0] += out[k] * out[k];
    anchor.own[1] += in[k] * in[k];
    anchor.own[2] += e[k] * e[k];
  }
  anchor.own[3] = rows.symmetric_square;
}

void SpectralVectors::ComputeStretch(const Anchor& anchor, const Rows& first,
                                     const float* squares, size_t count,
                                     float* values, size_t stride) const {
  float of_in[kStretch][4], of_out[kStretch][4], symmetric[kStretch][6];
  ThreeProducts(first.in, count, rank_, anchor.with_in.data(), of_in[0]);
  ThreeProducts(first.out, count, rank_, anchor.with_out.data(), of_out[0]);
  FiveProducts(first.symmetric, count, rank_, anchor.with_symmetric.data(),
               symmetric[0]);
  const bool turned = anchor.direction == Direction::kIn;
  const std::array<float, 4>& own = anchor.own;
  for (size_t i = 0; i < count; ++i) {
    float* to = values + i * stride;
    const float out_in = own[0] * of_in[i][3], in_out = own[1] * of_out[i][3];
    const float both = own[2] * symmetric[i][5];
    to[turned ? 1 : 0] = Rounded(of_in[i][0], out_in);
    to[turned ? 0 : 1] = Rounded(of_out[i][0], in_out);
    to[turned ? 3 : 2] = Cosine(of_in[i][1], out_in);
    to[turned ? 2 : 3] = Cosine(of_out[i][1], in_out);
    to[4] = Cosine(of_out[i][2], own[0] * of_out[i][3]);
    to[5] = Cosine(of_in[i][2], own[1] * of_in[i][3]);
    for (size_t f = 0; f < 4; ++f) to[6 + f] = Rounded(symmetric[i][f], both);
    to[10] = Cosine(symmetric[i][4], both);
    to[11] = OverRoot(to[7], own[3] * squares[i]);
  }
}

void SpectralVectors::Compute(const Rows& source, const Rows& target,
                              std::span<float, kFeatures> values) const {
  thread_local Anchor anchor;  // its memory is reused
  Prepare(source, Direction::kOut, anchor);
  ComputeStretch(anchor, target, &target.symmetric_square, 1, values.data(),
                 kFeatures);
}

void SpectralVectors::ComputeEach(const Anchor& anchor,
                                  std::span<const NodeId> nodes, float* values,
                                  size_t stride) const {
  ForEachStretch(
      nodes, nodes_,
      [&](size_t begin, size_t count) {
        const NodeId first = nodes[begin];
        ComputeStretch(anchor, RowsOf(first), &symmetric_squares_[first], count,
                       values + begin * stride, stride);
      },
      [&](size_t i) { std::fill_n(values + i * stride, kFeatures, 0.0f); });
}

}  // namespace slice
