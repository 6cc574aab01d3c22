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
#include <cmath>

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
  float cubes = 0, squares = 0, source_squares = 0, target_squares = 0;
  float walks = 0;
  for (size_t k = 0; k < rank_; ++k) {
    const float value = eigenvalues_[k];
    const float square = value * value;
    const float product = e_u[k] * e_v[k];
    squares += square * product;
    cubes += square * value * product;
    walks += kDamping * kDamping * square /
             std::max(1 - kDamping * value, kLeastGap) * product;
    source_squares += square * e_u[k] * e_u[k];
    target_squares += square * e_v[k] * e_v[k];
  }
  const Dots symmetric = Multiply(e_u, e_v, eigenvalues_);
  const float norm = source_squares * target_squares;
  values[6] = symmetric.weighted;
  values[7] = squares;
  values[8] = cubes;
  values[9] = walks;
  values[10] = symmetric.Cosine();
  values[11] = norm > 0 ? squares / std::sqrt(norm) : 0;
}

}  // namespace slice
