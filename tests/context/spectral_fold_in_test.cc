#include "context/spectral_fold_in.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

constexpr size_t kRank = 5;

std::vector<float> Draw(size_t count, double low, Random& random) {
  std::vector<float> values(count);
  for (float& value : values) {
    value = static_cast<float>(low + (1 - low) * random.Uniform());
  }
  return values;
}

// Factors of the first nodes of a random graph; the others came later.
class FoldInTest : public ::testing::TestWithParam<uint64_t> {
 protected:
  FoldInTest() : graph_(BuildSnapshotOrDie(RandomMultigraph({}, GetParam()))) {
    Random random(GetParam());
    known_ = graph_->node_count() - 5;
    for (size_t i = 0; i < 3; ++i) rows_[i] = Draw(known_ * kRank, -1, random);
    sigma_ = Draw(kRank, 0.2, random);
    lambda_ = Draw(kRank, 0.2, random);
    const auto nodes = static_cast<int64_t>(known_);
    const char* names[] = {"spectral.out", "spectral.in", "spectral.symmetric"};
    for (size_t i = 0; i < 3; ++i) {
      statistics_.Set(names[i], {{nodes, kRank}, rows_[i]});
    }
    statistics_.Set("spectral.singular_values", {{kRank}, sigma_});
    statistics_.Set("spectral.eigenvalues", {{kRank}, lambda_});
    vectors_ = **SpectralVectors::FromStatistics(statistics_, known_);
  }

  double Links(NodeId node, Direction direction) const {
    return static_cast<double>(graph_->Arcs(node, direction).size());
  }

  // Of the definition, in double precision; `part` is 0 for out, 1 for in, 2
  // for symmetric.
  std::vector<double> Expected(NodeId node, size_t part) const {
    std::vector<double> sums(kRank);
    double own = 5;
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      if (part < 2 && static_cast<size_t>(direction) != part) continue;
      own += Links(node, direction);
      const ArcSpan arcs = graph_->Arcs(node, direction);
      for (const NodeId other : arcs.neighbors) {
        if (other >= known_) continue;
        const double links = part == 2 ? Links(other, Direction::kOut) +
                                             Links(other, Direction::kIn)
                                       : Links(other, Reverse(direction));
        const auto& rows = rows_[part == 2 ? 2 : 1 - part];
        for (size_t k = 0; k < kRank; ++k) {
          sums[k] += rows[other * kRank + k] / std::sqrt(links + 5);
        }
      }
    }
    const auto& factors = part == 2 ? lambda_ : sigma_;
    for (size_t k = 0; k < kRank; ++k) sums[k] /= std::sqrt(own) * factors[k];
    return sums;
  }

  const std::shared_ptr<const GraphSnapshot> graph_;
  size_t known_ = 0;
  std::vector<float> rows_[3], sigma_, lambda_;
  GraphStatistics statistics_;
  SpectralVectors vectors_;
};

TEST_P(FoldInTest, IsTheRowOfTheAdjacencyMatrixTimesTheFactors) {
  for (NodeId node = 0; node < graph_->node_count(); ++node) {
    const FoldedRows folded(vectors_, GraphView(*graph_), node);
    const SpectralVectors::Rows rows = folded.rows();
    const float* found[] = {rows.out, rows.in, rows.symmetric};
    for (size_t part = 0; part < 3; ++part) {
      const std::vector<double> expected = Expected(node, part);
      for (size_t k = 0; k < kRank; ++k) {
        EXPECT_NEAR(found[part][k], expected[k],
                    1e-4 * (1 + std::abs(expected[k])));
      }
    }
  }
}

TEST_P(FoldInTest, KnownEndsKeepTheirRows) {
  std::array<float, SpectralVectors::kFeatures> found, expected;
  const Link link = {0, 0, 1};
  ComputeSpectralFeatures(vectors_, GraphView(*graph_), link, found);
  vectors_.Compute(vectors_.RowsOf(0), vectors_.RowsOf(1), expected);
  EXPECT_EQ(found, expected);
}

TEST_P(FoldInTest, ReadsNoHiddenLink) {
  const auto node = static_cast<NodeId>(known_);
  GraphView view(*graph_);
  for (const NodeId other : graph_->DistinctNeighbors(node)) {
    view.HidePair(node, other);
  }
  std::array<float, SpectralVectors::kFeatures> found;
  ComputeSpectralFeatures(vectors_, view, {node, 0, 1}, found);
  for (const float value : found) EXPECT_EQ(value, 0);
}

TEST_P(FoldInTest, IsZeroWhereTheRankIsMoreThanHalfOfTheNodes) {
  const NodeId nodes = 2 * kRank - 1;
  const char* names[] = {"spectral.out", "spectral.in", "spectral.symmetric"};
  for (const char* name : names) {
    statistics_.Set(name,
                    {{nodes, kRank}, std::vector<float>(nodes * kRank, 1)});
  }
  const auto few = SpectralVectors::FromStatistics(statistics_, nodes);
  ASSERT_TRUE(few.ok()) << few.status();
  for (NodeId node = nodes; node < graph_->node_count(); ++node) {
    const FoldedRows folded(**few, GraphView(*graph_), node);
    const SpectralVectors::Rows rows = folded.rows();
    for (const float* row : {rows.out, rows.in, rows.symmetric}) {
      for (size_t k = 0; k < kRank; ++k) EXPECT_EQ(row[k], 0);
    }
    EXPECT_EQ(rows.symmetric_square, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FoldInTest, ::testing::Range<uint64_t>(0, 5));

}  // namespace
}  // namespace slice
