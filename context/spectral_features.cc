// With A ~ U diag(s) V^T the directed factors, E, l the symmetric ones:
//   out_in, in_out            sum_k s_k U_uk V_vk, and the same from v to u
//   {out_in,in_out,out_out,in_in}_cosine
//                             of the rows named, source first
//   symmetric_{1,2,3}         sum_k l_k^p E_uk E_vk, p = 1, 2, 3: walks of p
//                             steps
//   symmetric_walks           the same with 0.85^2 l^2 / (1 - 0.85 l): all
//   walks
//                             of two steps and more, damped
//   symmetric_cosine          of E_u and E_v
//   symmetric_2_normalized    symmetric_2 over the root of that of (u, u) times
//                             that of (v, v)
// 0 where a row is 0 (a node without links).
#include "context/spectral_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr float kDamping = 0.85f;
constexpr float kLeastGap = 0.05f;  // of 1 - 0.85 l, should l exceed one

struct Dots {
  float aa = 0, bb = 0, ab = 0, weighted = 0;

  float Cosine() const {
    const float norm = aa * bb;
    return norm > 0 ? ab / std::sqrt(norm) : 0;
  }
};

Dots Multiply(std::span<const float> a, std::span<const float> b,
              std::span<const float> weights) {
  Dots dots;
  for (size_t k = 0; k < a.size(); ++k) {
    dots.aa += a[k] * a[k];
    dots.bb += b[k] * b[k];
    dots.ab += a[k] * b[k];
    dots.weighted += weights[k] * a[k] * b[k];
  }
  return dots;
}

// The dot products of `row` with several vectors of its length, laid end to
// end, and with itself. Partial sums, so that the loop is one of vectors.
template <size_t kVectors>
std::array<float, kVectors + 1> DotProducts(std::span<const float> row,
                                            const std::vector<float>& vectors) {
  constexpr size_t kLanes = 8;
  const size_t rank = row.size();
  float lanes[kVectors + 1][kLanes] = {};
  const size_t whole = rank - rank % kLanes;
  for (size_t k = 0; k < whole; k += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const float x = row[k + lane];
      for (size_t v = 0; v < kVectors; ++v) {
        lanes[v][lane] += x * vectors[v * rank + k + lane];
      }
      lanes[kVectors][lane] += x * x;
    }
  }
  for (size_t k = whole; k < rank; ++k) {
    for (size_t v = 0; v < kVectors; ++v) {
      lanes[v][0] += row[k] * vectors[v * rank + k];
    }
    lanes[kVectors][0] += row[k] * row[k];
  }
  std::array<float, kVectors + 1> sums = {};
  for (size_t v = 0; v <= kVectors; ++v) {
    for (const float lane : lanes[v]) sums[v] += lane;
  }
  return sums;
}

float OverRoot(float value, float norm) {
  return norm > 0 ? value / std::sqrt(norm) : 0;
}

float WalkWeight(float eigenvalue) {
  return kDamping * kDamping * eigenvalue * eigenvalue /
         std::max(1 - kDamping * eigenvalue, kLeastGap);
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
    float squares = 0;
    for (size_t k = 0; k < vectors.rank_; ++k) {
      const float x = vectors.eigenvalues_[k] *
                      vectors.symmetric_[node * vectors.rank_ + k];
      squares += x * x;
    }
    vectors.symmetric_squares_.push_back(squares);
  }
  return vectors;
}

void SpectralVectors::Compute(NodeId source, NodeId target,
                              std::span<float, kFeatures> values) const {
  std::fill(values.begin(), values.end(), 0.0f);
  if (source >= nodes_ || target >= nodes_) return;
  const auto row = [this](std::span<const float> table, NodeId node) {
    return table.subspan(node * rank_, rank_);
  };
  const auto out_u = row(out_, source), out_v = row(out_, target);
  const auto in_u = row(in_, source), in_v = row(in_, target);
  const Dots forward = Multiply(out_u, in_v, singular_values_);
  const Dots backward = Multiply(in_u, out_v, singular_values_);
  values[0] = forward.weighted;
  values[1] = backward.weighted;
  values[2] = forward.Cosine();
  values[3] = backward.Cosine();
  values[4] = Multiply(out_u, out_v, singular_values_).Cosine();
  values[5] = Multiply(in_u, in_v, singular_values_).Cosine();

  const auto e_u = row(symmetric_, source), e_v = row(symmetric_, target);
  float cubes = 0, squares = 0, walks = 0;
  for (size_t k = 0; k < rank_; ++k) {
    const float value = eigenvalues_[k];
    const float square = value * value;
    const float product = e_u[k] * e_v[k];
    squares += square * product;
    cubes += square * value * product;
    walks += WalkWeight(value) * product;
  }
  const Dots symmetric = Multiply(e_u, e_v, eigenvalues_);
  values[6] = symmetric.weighted;
  values[7] = squares;
  values[8] = cubes;
  values[9] = walks;
  values[10] = symmetric.Cosine();
  values[11] = OverRoot(
      squares, symmetric_squares_[source] * symmetric_squares_[target]);
}

void SpectralVectors::ComputeAll(NodeId anchor, Direction direction,
                                 std::span<float> values) const {
  std::fill(values.begin(), values.end(), 0.0f);
  if (anchor >= nodes_) return;
  const auto row = [this](std::span<const float> table, NodeId node) {
    return table.subspan(node * rank_, rank_);
  };
  const auto out = row(out_, anchor), in = row(in_, anchor);
  const auto e = row(symmetric_, anchor);
  // What is multiplied with a node's incoming, outgoing and symmetric rows.
  std::vector<float> with_in(3 * rank_), with_out(3 * rank_),
      with_symmetric(5 * rank_);
  std::array<float, 4> own = {};  // out, in and symmetric norms; squared ones
  for (size_t k = 0; k < rank_; ++k) {
    const float value = eigenvalues_[k];
    with_in[k] = singular_values_[k] * out[k];
    with_out[k] = singular_values_[k] * in[k];
    with_in[rank_ + k] = with_out[2 * rank_ + k] = out[k];
    with_in[2 * rank_ + k] = with_out[rank_ + k] = in[k];
    const float weights[] = {value, value * value, value * value * value,
                             WalkWeight(value), 1.0f};
    for (size_t i = 0; i < 5; ++i) {
      with_symmetric[i * rank_ + k] = weights[i] * e[k];
    }
    own[0] += out[k] * out[k];
    own[1] += in[k] * in[k];
    own[2] += e[k] * e[k];
    own[3] += value * value * e[k] * e[k];
  }
  const bool turned = direction == Direction::kIn;
  for (NodeId node = 0; node < nodes_; ++node) {
    const auto of_in = DotProducts<3>(row(in_, node), with_in);
    const auto of_out = DotProducts<3>(row(out_, node), with_out);
    const auto symmetric =
        DotProducts<5>(row(symmetric_, node), with_symmetric);
    float* to = values.data() + size_t{node} * kFeatures;
    to[turned ? 1 : 0] = of_in[0];
    to[turned ? 0 : 1] = of_out[0];
    to[turned ? 3 : 2] = OverRoot(of_in[1], own[0] * of_in[3]);
    to[turned ? 2 : 3] = OverRoot(of_out[1], own[1] * of_out[3]);
    to[4] = OverRoot(of_out[2], own[0] * of_out[3]);
    to[5] = OverRoot(of_in[2], own[1] * of_in[3]);
    for (size_t i = 0; i < 4; ++i) to[6 + i] = symmetric[i];
    to[10] = OverRoot(symmetric[4], own[2] * symmetric[5]);
    to[11] = OverRoot(symmetric[1], own[3] * symmetric_squares_[node]);
  }
}

}  // namespace slice
