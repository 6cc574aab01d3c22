#include "context/walk_vectors.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

constexpr size_t kDim = 21;  // not a multiple of any vector's lanes

using Features = std::array<float, WalkVectors::kFeatures>;

std::vector<float> Draw(size_t count, Random& random) {
  std::vector<float> values(count);
  for (float& value : values) {
    value = static_cast<float>(2 * random.Uniform() - 1);
  }
  return values;
}

double Dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

double Cosine(std::span<const double> a, std::span<const double> b) {
  const double squares = Dot(a, a) * Dot(b, b);
  return squares > 0 ? Dot(a, b) / std::sqrt(squares) : 0;
}

// Vectors of the first nodes of a random graph; the last five came later.
class WalkVectorsTest : public ::testing::TestWithParam<uint64_t> {
 protected:
  WalkVectorsTest()
      : graph_(BuildSnapshotOrDie(RandomMultigraph({}, GetParam()))) {
    Random random(GetParam());
    known_ = static_cast<NodeId>(graph_->node_count() - 5);
    inputs_ = Draw(known_ * kDim, random);
    outputs_ = Draw(known_ * kDim, random);
    std::fill_n(inputs_.begin(), kDim, 0.0f);  // a node without links
    std::fill_n(outputs_.begin(), kDim, 0.0f);
    const auto nodes = static_cast<int64_t>(known_);
    statistics_.Set("walks.inputs", {{nodes, kDim}, inputs_});
    statistics_.Set("walks.outputs", {{nodes, kDim}, outputs_});
    vectors_ = **WalkVectors::FromStatistics(statistics_, known_);
  }

  // Of a known node, or the mean of those of its visible neighbours.
  std::vector<double> Row(const std::vector<float>& table,
                          const GraphView& view, NodeId node) const {
    std::vector<double> row(kDim);
    std::vector<NodeId> from = {node};
    if (node >= known_) {
      from.clear();
      for (NodeId other = 0; other < known_; ++other) {
        if (view.AreNeighbors(node, other)) from.push_back(other);
      }
    }
    for (const NodeId other : from) {
      for (size_t k = 0; k < kDim; ++k) {
        row[k] += double{table[other * kDim + k]} / double(from.size());
      }
    }
    return row;
  }

  Features Expected(const GraphView& view, const Link& link) const {
    const auto in_u = Row(inputs_, view, link.source);
    const auto out_u = Row(outputs_, view, link.source);
    const auto in_v = Row(inputs_, view, link.target);
    const auto out_v = Row(outputs_, view, link.target);
    return {float(Dot(in_u, out_v)), float(Dot(out_u, in_v)),
            float(Cosine(in_u, in_v)), float(Cosine(out_u, out_v))};
  }

  std::shared_ptr<const GraphSnapshot> graph_;
  NodeId known_ = 0;
  std::vector<float> inputs_, outputs_;
  GraphStatistics statistics_;
  WalkVectors vectors_;
};

TEST_P(WalkVectorsTest, FeaturesAreTheirFormulas) {
  const auto nodes = static_cast<NodeId>(graph_->node_count());
  for (NodeId source = 0; source < nodes; ++source) {
    for (NodeId target = 0; target < nodes; target += 3) {
      GraphView view(*graph_);
      view.HidePair(source, target);
      const Link link{source, 0, target};
      Features values;
      vectors_.Compute(view, link, values);
      const Features expected = Expected(view, link);
      for (size_t f = 0; f < values.size(); ++f) {
        ASSERT_NEAR(values[f], expected[f], 1e-5)
            << WalkVectors::FeatureNames()[f] << " of " << source << " and "
            << target;
      }
    }
  }
}

TEST_P(WalkVectorsTest, ManyLinksOfOneEndHaveTheFeaturesOfEach) {
  const GraphView view(*graph_);
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < graph_->node_count(); ++node) {
    if (node % 7 != 3) nodes.push_back(node);
  }
  constexpr size_t kStride = WalkVectors::kFeatures + 2;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    for (const NodeId node : {NodeId{1}, known_}) {
      WalkVectors::Anchor anchor;
      vectors_.Prepare(view, node, direction, anchor);
      std::vector<float> values(nodes.size() * kStride, 7);
      vectors_.ComputeEach(anchor, nodes, values.data(), kStride);
      for (size_t i = 0; i < nodes.size(); ++i) {
        Features expected = {};
        if (vectors_.Has(nodes[i])) {
          expected = Expected(view, direction == Direction::kOut
                                        ? Link{node, 0, nodes[i]}
                                        : Link{nodes[i], 0, node});
        }
        for (size_t f = 0; f < kStride; ++f) {
          EXPECT_NEAR(values[i * kStride + f],
                      f < expected.size() ? expected[f] : 7, 1e-5);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, WalkVectorsTest,
                         ::testing::Range<uint64_t>(1, 6));

TEST(WalkVectors, TablesThatDoNotFitAreRefused) {
  GraphStatistics statistics;
  const auto read = [&] {
    return WalkVectors::FromStatistics(statistics, 3).status().code();
  };
  EXPECT_FALSE((*WalkVectors::FromStatistics(statistics, 3)).has_value());
  statistics.Set("walks.inputs", {{3, 2}, std::vector<float>(6)});
  EXPECT_EQ(read(), absl::StatusCode::kNotFound);
  statistics.Set("walks.outputs", {{3, 1}, std::vector<float>(3)});
  EXPECT_EQ(read(), absl::StatusCode::kDataLoss);
  statistics.Set("walks.outputs", {{3, 2}, std::vector<float>(6)});
  EXPECT_EQ(read(), absl::StatusCode::kOk);
  statistics.Set("walks.inputs", {{7}, std::vector<float>(7)});
  EXPECT_EQ(read(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace slice
