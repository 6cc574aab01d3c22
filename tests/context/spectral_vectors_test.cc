#include "context/spectral_vectors.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

constexpr size_t kNodes = 9;
constexpr size_t kRank = 5;

GraphStatistics RandomFactors(uint64_t seed) {
  Random random(seed);
  const auto draw = [&](size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = float(2 * random.Uniform() - 1);
    return values;
  };
  GraphStatistics statistics;
  for (const char* name :
       {"spectral.out", "spectral.in", "spectral.symmetric"}) {
    statistics.Set(name, {{kNodes, kRank}, draw(kNodes * kRank)});
  }
  for (const char* name :
       {"spectral.singular_values", "spectral.eigenvalues"}) {
    statistics.Set(name, {{kRank}, draw(kRank)});
  }
  return statistics;
}

using Weigh = double (*)(double);

// sum_k f(w_k) a_k b_k in double precision.
double Kernel(const GraphStatistics& statistics, const char* left, NodeId u,
              const char* right, NodeId v, const char* weights, Weigh weigh) {
  const auto& a = (*statistics.Get(left))->values;
  const auto& b = (*statistics.Get(right))->values;
  const auto& w = (*statistics.Get(weights))->values;
  double sum = 0;
  for (size_t k = 0; k < kRank; ++k) {
    sum += weigh(w[k]) * a[u * kRank + k] * b[v * kRank + k];
  }
  return sum;
}

TEST(SpectralVectors, FeaturesAreTheirFormulas) {
  const GraphStatistics s = RandomFactors(3);
  const auto vectors = SpectralVectors::FromStatistics(s, kNodes);
  ASSERT_TRUE(vectors.ok() && vectors->has_value());
  const Weigh one = [](double) { return 1.0; };
  const Weigh itself = [](double w) { return w; };
  const Weigh square = [](double w) { return w * w; };
  const char* sigma = "spectral.singular_values";
  const char* lambda = "spectral.eigenvalues";
  const auto cosine = [&](const char* left, NodeId u, const char* right,
                          NodeId v) {
    return Kernel(s, left, u, right, v, sigma, one) /
           std::sqrt(Kernel(s, left, u, left, u, sigma, one) *
                     Kernel(s, right, v, right, v, sigma, one));
  };
  const char *out = "spectral.out", *in = "spectral.in",
             *e = "spectral.symmetric";
  for (NodeId u = 0; u < kNodes; ++u) {
    for (NodeId v = 0; v < kNodes; ++v) {
      std::array<float, SpectralVectors::kFeatures> values;
      (*vectors)->Compute((*vectors)->RowsOf(u), (*vectors)->RowsOf(v), values);
      const double expected[] = {
          Kernel(s, out, u, in, v, sigma, itself),
          Kernel(s, in, u, out, v, sigma, itself),
          cosine(out, u, in, v),
          cosine(in, u, out, v),
          cosine(out, u, out, v),
          cosine(in, u, in, v),
          Kernel(s, e, u, e, v, lambda, itself),
          Kernel(s, e, u, e, v, lambda, square),
          Kernel(s, e, u, e, v, lambda, [](double w) { return w * w * w; }),
          Kernel(s, e, u, e, v, lambda,
                 [](double w) { return 0.7225 * w * w / (1 - 0.85 * w); }),
          cosine(e, u, e, v),
          Kernel(s, e, u, e, v, lambda, square) /
              std::sqrt(Kernel(s, e, u, e, u, lambda, square) *
                        Kernel(s, e, v, e, v, lambda, square))};
      for (size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(values[i], expected[i], 1e-5)
            << SpectralVectors::FeatureNames()[i];
      }
    }
  }
}

// With as many factors as nodes the rows of different nodes are orthogonal.
// What rounding leaves of their products must not show.
TEST(SpectralVectors, OrthogonalRowsGiveZero) {
  constexpr size_t kOrder = 64;
  // The reflection I - 2 w w^T / w^T w: its rows are orthonormal.
  Random random(6);
  std::vector<double> w(kOrder);
  double square = 0;
  for (double& x : w) {
    x = 2 * random.Uniform() - 1;
    square += x * x;
  }
  std::vector<float> rows;
  for (size_t i = 0; i < kOrder; ++i) {
    for (size_t k = 0; k < kOrder; ++k) {
      rows.push_back(float((i == k) - 2 * w[i] * w[k] / square));
    }
  }
  GraphStatistics s;
  for (const char* name :
       {"spectral.out", "spectral.in", "spectral.symmetric"}) {
    s.Set(name, {{kOrder, kOrder}, rows});
  }
  for (const char* name :
       {"spectral.singular_values", "spectral.eigenvalues"}) {
    s.Set(name, {{kOrder}, std::vector<float>(kOrder, 1.0f)});
  }
  const auto vectors = SpectralVectors::FromStatistics(s, kOrder);
  ASSERT_TRUE(vectors.ok() && vectors->has_value());
  std::array<float, SpectralVectors::kFeatures> values;
  for (NodeId u = 0; u < kOrder; ++u) {
    for (NodeId v = 0; v < kOrder; ++v) {
      if (u == v) continue;
      (*vectors)->Compute((*vectors)->RowsOf(u), (*vectors)->RowsOf(v), values);
      for (size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(values[i], 0) << SpectralVectors::FeatureNames()[i] << " of "
                                << u << " and " << v;
      }
    }
  }
}

TEST(SpectralVectors, ANodeWithoutARowGivesZero) {
  GraphStatistics s = RandomFactors(4);
  NamedArray out = **s.Get("spectral.symmetric");
  std::fill_n(out.values.begin(), kRank, 0.0f);
  s.Set("spectral.symmetric", out);
  const auto vectors = SpectralVectors::FromStatistics(s, kNodes);
  std::array<float, SpectralVectors::kFeatures> values;
  (*vectors)->Compute((*vectors)->RowsOf(0), (*vectors)->RowsOf(1), values);
  for (size_t i = 6; i < values.size(); ++i) EXPECT_EQ(values[i], 0);
  EXPECT_FALSE((*vectors)->Has(kNodes));  // added after the factors
  SpectralVectors::Anchor anchor;
  (*vectors)->Prepare((*vectors)->RowsOf(1), Direction::kOut, anchor);
  const NodeId added = kNodes;
  (*vectors)->ComputeEach(anchor, {&added, 1}, values.data(), values.size());
  for (const float value : values) EXPECT_EQ(value, 0);
}

TEST(SpectralVectors, RefusesShapesThatDisagree) {
  EXPECT_FALSE(SpectralVectors::FromStatistics({}, kNodes)->has_value());
  const GraphStatistics s = RandomFactors(5);
  EXPECT_EQ(SpectralVectors::FromStatistics(s, kNodes + 1).status().code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace slice
