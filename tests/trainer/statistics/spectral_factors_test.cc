#include "trainer/statistics/spectral_factors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "context/spectral_fold_in.h"
#include "graphstore/graph_statistics.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using DenseMatrix = std::vector<std::vector<double>>;

constexpr double kOffset = 5;

struct Reference {
  DenseMatrix directed, symmetric;  // normalised
};

// The normalised matrices by their formulas, from the links of a rebuilt graph.
Reference ReferenceMatrices(const GraphSnapshot& snapshot) {
  const size_t nodes = snapshot.node_count();
  DenseMatrix counts(nodes, std::vector<double>(nodes));
  for (NodeId node = 0; node < nodes; ++node) {
    for (const NodeId target : snapshot.Arcs(node, Direction::kOut).neighbors) {
      counts[node][target] += 1;
    }
  }
  std::vector<double> out(nodes, kOffset), in(nodes, kOffset);
  for (size_t u = 0; u < nodes; ++u) {
    for (size_t v = 0; v < nodes; ++v) {
      out[u] += counts[u][v];
      in[v] += counts[u][v];
    }
  }
  Reference reference{counts, counts};
  for (size_t u = 0; u < nodes; ++u) {
    for (size_t v = 0; v < nodes; ++v) {
      reference.directed[u][v] = counts[u][v] / std::sqrt(out[u] * in[v]);
      reference.symmetric[u][v] =
          (counts[u][v] + counts[v][u]) /
          std::sqrt((out[u] + in[u] - kOffset) * (out[v] + in[v] - kOffset));
    }
  }
  return reference;
}

// left diag(values) right^T.
DenseMatrix Rebuild(const std::vector<float>& left,
                    const std::vector<float>& values,
                    const std::vector<float>& right, size_t nodes) {
  const size_t rank = values.size();
  DenseMatrix matrix(nodes, std::vector<double>(nodes));
  for (size_t u = 0; u < nodes; ++u) {
    for (size_t v = 0; v < nodes; ++v) {
      for (size_t k = 0; k < rank; ++k) {
        matrix[u][v] += double{left[u * rank + k]} * values[k] *
                        double{right[v * rank + k]};
      }
    }
  }
  return matrix;
}

double SquaredDifference(const DenseMatrix& a, const DenseMatrix& b) {
  double sum = 0;
  for (size_t u = 0; u < a.size(); ++u) {
    for (size_t v = 0; v < a.size(); ++v) {
      sum += (a[u][v] - b[u][v]) * (a[u][v] - b[u][v]);
    }
  }
  return sum;
}

// Columns with a value are orthonormal, the others zero.
void ExpectOrthonormal(const std::vector<float>& vectors,
                       const std::vector<float>& values) {
  const size_t rank = values.size();
  for (size_t i = 0; i < rank; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double product = 0;
      for (size_t row = 0; row < vectors.size(); row += rank) {
        product += double{vectors[row + i]} * vectors[row + j];
      }
      EXPECT_NEAR(product, i == j && values[i] != 0 ? 1 : 0, 2e-4)
          << i << ", " << j;
    }
  }
}

void ExpectDescendingMagnitude(const std::vector<float>& values) {
  for (size_t i = 1; i < values.size(); ++i) {
    EXPECT_LE(std::abs(values[i]), std::abs(values[i - 1]) + 1e-6);
  }
}

SpectralFactors ComputeOrDie(const GraphView& view,
                             const SpectralFactorOptions& options) {
  auto factors = ComputeSpectralFactors(view, options);
  EXPECT_TRUE(factors.ok()) << factors.status();
  return *std::move(factors);
}

class SpectralFactorsOnMultigraphs : public ::testing::TestWithParam<int> {};

// A rank of all nodes leaves nothing out. Orthonormal factors whose product is
// the matrix are its decomposition.
TEST_P(SpectralFactorsOnMultigraphs, FullRankRebuildsBothMatrices) {
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph({}, GetParam()));
  const SpectralFactors factors =
      ComputeOrDie(GraphView(*snapshot), {.rank = 40, .seed = 7});
  const Reference reference = ReferenceMatrices(*snapshot);
  EXPECT_LT(
      SquaredDifference(Rebuild(factors.out_vectors, factors.singular_values,
                                factors.in_vectors, factors.nodes),
                        reference.directed),
      1e-8);
  EXPECT_LT(
      SquaredDifference(Rebuild(factors.symmetric_vectors, factors.eigenvalues,
                                factors.symmetric_vectors, factors.nodes),
                        reference.symmetric),
      1e-8);
  ExpectOrthonormal(factors.out_vectors, factors.singular_values);
  ExpectOrthonormal(factors.in_vectors, factors.singular_values);
  ExpectOrthonormal(factors.symmetric_vectors, factors.eigenvalues);
  ExpectDescendingMagnitude(factors.singular_values);
  ExpectDescendingMagnitude(factors.eigenvalues);
}

// The first `kept` numbers of each row of `rank` numbers.
std::vector<float> FirstColumns(const std::vector<float>& rows, size_t rank,
                                size_t kept) {
  std::vector<float> columns;
  for (size_t begin = 0; begin < rows.size(); begin += rank)
    columns.insert(columns.end(), rows.begin() + begin,
                   rows.begin() + begin + kept);
  return columns;
}

// A node that is folded in by its links gets the rows that it has in exact
// factors. The largest of them are kept: for more than half as many as there
// are nodes, nothing is folded in.
TEST_P(SpectralFactorsOnMultigraphs, FoldingInFindsTheRows) {
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph({}, GetParam()));
  const GraphView view(*snapshot);
  const SpectralFactors factors = ComputeOrDie(view, {.rank = 40, .seed = 7});
  GraphStatistics statistics;
  const auto nodes = static_cast<int64_t>(factors.nodes);
  const size_t kept = factors.nodes / 2;
  const auto rank = static_cast<int64_t>(kept);
  const auto set = [&](const char* name, const std::vector<float>& rows) {
    statistics.Set(name,
                   {{nodes, rank}, FirstColumns(rows, factors.rank, kept)});
  };
  set("spectral.out", factors.out_vectors);
  set("spectral.in", factors.in_vectors);
  set("spectral.symmetric", factors.symmetric_vectors);
  statistics.Set(
      "spectral.singular_values",
      {{rank}, FirstColumns(factors.singular_values, factors.rank, kept)});
  statistics.Set(
      "spectral.eigenvalues",
      {{rank}, FirstColumns(factors.eigenvalues, factors.rank, kept)});
  const auto vectors =
      **SpectralVectors::FromStatistics(statistics, factors.nodes);
  for (NodeId node = 0; node < snapshot->node_count(); ++node) {
    const FoldedRows folded(vectors, view, node);
    const SpectralVectors::Rows found = folded.rows();
    const SpectralVectors::Rows own = vectors.RowsOf(node);
    for (size_t k = 0; k < vectors.rank(); ++k) {
      // Small factors lose digits: U = A V / s.
      if (vectors.singular_values()[k] > 0.02f) {
        EXPECT_NEAR(found.out[k], own.out[k], 2e-3);
        EXPECT_NEAR(found.in[k], own.in[k], 2e-3);
      }
      if (std::abs(vectors.eigenvalues()[k]) > 0.02f) {
        EXPECT_NEAR(found.symmetric[k], own.symmetric[k], 2e-3);
      }
    }
  }
}

// No matrix of this rank has a smaller squared error than the sum of the
// squared values that are left out (Eckart and Young); the factors come within
// one percent of it. Single values are not compared: they are uncertain when
// neighbours in the spectrum are close, as they are here.
TEST_P(SpectralFactorsOnMultigraphs, TruncationIsNearlyTheBest) {
  constexpr int kRank = 12;
  const auto snapshot = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 150, .links = 1500}, GetParam()));
  const GraphView view(*snapshot);
  const SpectralFactors full = ComputeOrDie(view, {.rank = 150});
  const SpectralFactors factors = ComputeOrDie(view, {.rank = kRank});
  const Reference reference = ReferenceMatrices(*snapshot);
  double directed = 0, symmetric = 0;
  for (int k = 0; k < 150; ++k) {
    if (k < kRank) {
      EXPECT_NEAR(factors.singular_values[k], full.singular_values[k],
                  0.03 * full.singular_values[k]);
      EXPECT_NEAR(std::abs(factors.eigenvalues[k]),
                  std::abs(full.eigenvalues[k]),
                  0.03 * std::abs(full.eigenvalues[k]));
      continue;
    }
    directed += full.singular_values[k] * full.singular_values[k];
    symmetric += full.eigenvalues[k] * full.eigenvalues[k];
  }
  EXPECT_LT(
      SquaredDifference(Rebuild(factors.out_vectors, factors.singular_values,
                                factors.in_vectors, factors.nodes),
                        reference.directed),
      1.01 * directed);
  EXPECT_LT(
      SquaredDifference(Rebuild(factors.symmetric_vectors, factors.eigenvalues,
                                factors.symmetric_vectors, factors.nodes),
                        reference.symmetric),
      1.01 * symmetric);
}

TEST_P(SpectralFactorsOnMultigraphs, HiddenFoldEqualsRebuiltGraph) {
  const GraphData data = RandomMultigraph({}, GetParam());
  const auto snapshot = BuildSnapshotOrDie(data);
  const LinkFolds folds(4, /*seed=*/GetParam());
  GraphView view(*snapshot);
  view.HideFold(&folds, 2);
  const auto rebuilt = BuildSnapshotOrDie(RebuildWithout(
      data, [&](const Link& link) { return folds.FoldOf(link) == 2; }));
  const SpectralFactorOptions options{.rank = 8, .seed = 3};
  const SpectralFactors hidden = ComputeOrDie(view, options);
  const SpectralFactors expected = ComputeOrDie(GraphView(*rebuilt), options);
  EXPECT_EQ(hidden.out_vectors, expected.out_vectors);
  EXPECT_EQ(hidden.in_vectors, expected.in_vectors);
  EXPECT_EQ(hidden.singular_values, expected.singular_values);
  EXPECT_EQ(hidden.symmetric_vectors, expected.symmetric_vectors);
  EXPECT_EQ(hidden.eigenvalues, expected.eigenvalues);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SpectralFactorsOnMultigraphs,
                         ::testing::Range(1, 5));

TEST(SpectralFactorsTest, DoesNotDependOnTheNumberOfThreads) {
  const auto snapshot = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 3000, .links = 9000}, /*seed=*/2));
  const GraphView view(*snapshot);
  const SpectralFactors one = ComputeOrDie(view, {.rank = 10, .threads = 1});
  const SpectralFactors three = ComputeOrDie(view, {.rank = 10, .threads = 3});
  EXPECT_EQ(one.out_vectors, three.out_vectors);
  EXPECT_EQ(one.symmetric_vectors, three.symmetric_vectors);
}

// A bipartite graph: four pairs in a row and a hub. Its eigenvalues come in
// pairs of opposite signs, which power iterations alone cannot tell apart.
TEST(SpectralFactorsTest, TellsOppositeEigenvaluesApart) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"link"};
  for (int i = 0; i < 9; ++i) {
    data.catalogue.nodes.push_back({"n" + std::to_string(i), "", 0});
  }
  for (NodeId leaf = 1; leaf < 9; ++leaf) data.links.push_back({0, 0, leaf});
  const auto snapshot = BuildSnapshotOrDie(data);
  const SpectralFactors factors =
      ComputeOrDie(GraphView(*snapshot), {.rank = 3});
  // One row of eight entries 1 / sqrt((8 + 5)(1 + 5)).
  const double expected = std::sqrt(8 / (13.0 * 6.0));
  EXPECT_NEAR(factors.singular_values[0], expected, 1e-6);
  EXPECT_NEAR(std::abs(factors.eigenvalues[0]), expected, 1e-6);
  EXPECT_NEAR(factors.eigenvalues[0] + factors.eigenvalues[1], 0, 1e-6);
  EXPECT_EQ(factors.singular_values[1], 0);
  EXPECT_EQ(factors.eigenvalues[2], 0);
  ExpectOrthonormal(factors.symmetric_vectors, factors.eigenvalues);
}

TEST(SpectralFactorsTest, GraphWithoutLinksHasZeros) {
  GraphData data = RandomMultigraph({}, 1);
  data.links.clear();
  const auto snapshot = BuildSnapshotOrDie(data);
  const SpectralFactors factors =
      ComputeOrDie(GraphView(*snapshot), {.rank = 4});
  EXPECT_EQ(factors.out_vectors.size(), 4 * snapshot->node_count());
  EXPECT_THAT(factors.out_vectors, Each(0));
  EXPECT_THAT(factors.symmetric_vectors, Each(0));
  EXPECT_THAT(factors.singular_values, Each(0));
}

TEST(SpectralFactorsTest, RefusesARankOutOfRange) {
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph({}, 1));
  const auto factors =
      ComputeSpectralFactors(GraphView(*snapshot), {.rank = 0});
  EXPECT_EQ(factors.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(factors.status().message()),
              HasSubstr("rank is 0; it must be from 1 to 1024"));
}

}  // namespace
}  // namespace slice
