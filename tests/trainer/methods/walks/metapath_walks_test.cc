#include "trainer/methods/walks/metapath_walks.h"

#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/methods/walks/labelled_walk_graph.h"

namespace slice {
namespace {

// The critical value of chi-square at 1 in 10,000, by Wilson and Hilferty (PNAS
// 1931).
double ChiSquareLimit(int freedom) {
  constexpr double kQuantile = 3.719;
  const double scale = 2.0 / (9 * freedom);
  const double root = 1 - scale + kQuantile * std::sqrt(scale);
  return freedom * root * root * root;
}

std::shared_ptr<const GraphSnapshot> RandomGraph(size_t types, uint64_t seed) {
  RandomMultigraphOptions options;
  options.node_types = types;
  return BuildSnapshotOrDie(RandomMultigraph(options, seed));
}

// The labels of the arcs between two nodes, read from the snapshot itself.
std::vector<uint32_t> LabelsBetween(const GraphSnapshot& snapshot,
                                    WalkLabels labels, NodeId a, NodeId b) {
  if (labels == WalkLabels::kNodeTypes) return {snapshot.Type(b)};
  std::vector<uint32_t> found;
  for (const Arc& arc : snapshot.ArcsBetween(a, b)) {
    found.push_back(2 * arc.relation +
                    (arc.direction == Direction::kOut ? 0 : 1));
  }
  return found;
}

class MetapathWalksTest : public testing::TestWithParam<size_t> {};

// Whether `walk` can be steps p, p + 1, ... of the scheme.
bool Follows(const GraphSnapshot& snapshot, const LabelledWalkGraph& graph,
             std::span<const NodeId> walk, const WalkScheme& scheme, size_t p) {
  for (size_t k = 1; k < walk.size() && walk[k] != kNoNode; ++k) {
    const std::vector<uint32_t> labels =
        LabelsBetween(snapshot, graph.labels(), walk[k - 1], walk[k]);
    const uint32_t step = scheme.steps[(p + k - 1) % scheme.steps.size()];
    if (!testing::Value(labels, testing::Contains(step))) return false;
  }
  return true;
}

TEST_P(MetapathWalksTest, EveryWalkFollowsOneScheme) {
  const auto snapshot = RandomGraph(GetParam(), 3);
  const LabelledWalkGraph graph{GraphView(*snapshot)};
  const std::vector<WalkScheme> schemes = CommonWalkSchemes(graph, 3, 4);
  ASSERT_FALSE(schemes.empty());
  const MetapathWalks walks(graph, schemes, /*length=*/12, /*seed=*/5);
  const std::vector<NodeId> starts = graph.LinkedNodes();
  std::vector<NodeId> walked(starts.size() * 12);
  walks.Walk(starts, 0, walked);
  int by_scheme = 0;
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto walk = std::span(walked).subspan(i * 12, 12);
    EXPECT_EQ(walk[0], starts[i]);
    for (size_t k = 1; k < 12 && walk[k] != kNoNode; ++k) {
      EXPECT_TRUE(snapshot->AreNeighbors(walk[k - 1], walk[k]));
    }
    bool can_begin = false, follows_one = false;
    for (const WalkScheme& scheme : schemes) {
      for (size_t p = 0; p < scheme.steps.size(); ++p) {
        const bool fits = graph.labels() == WalkLabels::kRelations ||
                          scheme.TypeBefore(p) == snapshot->Type(starts[i]);
        if (!fits || graph.Neighbors(starts[i], scheme.steps[p]).empty()) {
          continue;
        }
        can_begin = true;
        follows_one |= Follows(*snapshot, graph, walk, scheme, p);
      }
    }
    EXPECT_EQ(follows_one, can_begin) << "walk " << i;
    by_scheme += can_begin;
  }
  EXPECT_GT(by_scheme, 20);
}

// By types and by relations.
INSTANTIATE_TEST_SUITE_P(Labels, MetapathWalksTest, testing::Values(3, 1));

TEST(MetapathWalks, StepsAreUniformAmongAllowedNeighbours) {
  const auto snapshot = RandomGraph(3, 7);
  const LabelledWalkGraph graph{GraphView(*snapshot)};
  const NodeId start = 0;  // a hub
  std::span<const NodeId> allowed;
  uint32_t wanted = 0;
  graph.ForEachLabel(start,
                     [&](uint32_t label, std::span<const NodeId> neighbors) {
                       if (neighbors.size() <= allowed.size()) return;
                       wanted = label;
                       allowed = neighbors;
                     });
  const std::vector<WalkScheme> schemes = {
      {{wanted, static_cast<uint32_t>(snapshot->Type(start))}, 0}};
  ASSERT_GT(allowed.size(), 3u);
  const MetapathWalks walks(graph, schemes, /*length=*/2, /*seed=*/11);
  constexpr int kWalks = 20000;
  std::map<NodeId, int> counts;
  std::vector<NodeId> walk(2);
  for (int round = 0; round < kWalks; ++round) {
    walks.Walk(std::vector<NodeId>{start}, static_cast<uint64_t>(round), walk);
    ++counts[walk[1]];
  }
  const double expected = kWalks / static_cast<double>(allowed.size());
  double chi_square = 0;
  for (const NodeId node : allowed) {
    chi_square +=
        (counts[node] - expected) * (counts[node] - expected) / expected;
  }
  EXPECT_EQ(counts.size(), allowed.size());
  EXPECT_LT(chi_square, ChiSquareLimit(static_cast<int>(allowed.size()) - 1));
}

TEST(MetapathWalks, WalkDependsOnStartAndRoundAlone) {
  const auto snapshot = RandomGraph(3, 9);
  const LabelledWalkGraph graph{GraphView(*snapshot)};
  const MetapathWalks walks(graph, CommonWalkSchemes(graph, 4, 4), 10, 1);
  const std::vector<NodeId> starts = graph.LinkedNodes();
  std::vector<NodeId> together(starts.size() * 10), alone(10);
  walks.Walk(starts, 3, together);
  for (size_t i = 0; i < starts.size(); ++i) {
    walks.Walk(std::span(starts).subspan(i, 1), 3, alone);
    EXPECT_THAT(std::span(together).subspan(i * 10, 10),
                testing::ElementsAreArray(alone));
  }
}

}  // namespace
}  // namespace slice
