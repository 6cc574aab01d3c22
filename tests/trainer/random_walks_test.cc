#include "trainer/random_walks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;

// A graph without types from pairs of nodes.
GraphData PlainGraph(size_t nodes,
                     const std::vector<std::pair<NodeId, NodeId>>& pairs) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"link"};
  for (size_t i = 0; i < nodes; ++i) {
    data.catalogue.nodes.push_back({"n" + std::to_string(i), "", 0});
  }
  for (const auto& [a, b] : pairs) data.links.push_back({a, 0, b});
  return data;
}

//   0 - 1 - 3      a triangle 0 1 2 with a path 1 - 3 - 4, and 5 alone
//    \  |   |
//      2    4   5
GraphData KiteGraph() {
  return PlainGraph(6, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {3, 4}});
}

TEST(WalkGraphTest, HasEveryPairOnceInBothDirections) {
  GraphData data = PlainGraph(3, {{0, 1}, {1, 0}, {1, 2}, {2, 2}});
  const auto snapshot = BuildSnapshotOrDie(data);
  const WalkGraph graph{GraphView(*snapshot)};
  EXPECT_THAT(graph.Neighbors(0), ElementsAre(1));
  EXPECT_THAT(graph.Neighbors(1), ElementsAre(0, 2));
  EXPECT_THAT(graph.Neighbors(2), ElementsAre(1));
  EXPECT_EQ(graph.arc_count(), 4u);
}

TEST(WalkGraphTest, LeavesOutHiddenArcs) {
  const auto snapshot = BuildSnapshotOrDie(KiteGraph());
  GraphView view(*snapshot);
  view.HidePair(1, 3);
  const WalkGraph graph(view);
  EXPECT_FALSE(graph.AreNeighbors(1, 3));
  EXPECT_TRUE(graph.AreNeighbors(1, 2));
  EXPECT_THAT(graph.Neighbors(3), ElementsAre(4));
  EXPECT_THAT(graph.LinkedNodes(), ElementsAre(0, 1, 2, 3, 4));
}

TEST(RandomWalksTest, StepsFollowVisibleArcsOnly) {
  for (const double q : {1.0, 0.3}) {
    const auto snapshot = BuildSnapshotOrDie(
        RandomMultigraph(RandomMultigraphOptions(), /*seed=*/5));
    const LinkFolds folds(3, 17);
    GraphView view(*snapshot);
    view.HideFold(&folds, 1);
    const WalkGraph graph(view);
    const std::vector<NodeId> starts = graph.LinkedNodes();
    const RandomWalks walks(graph, {30, 1, q, 9});
    std::vector<NodeId> nodes(starts.size() * 30);
    walks.Walk(starts, 0, nodes);
    for (size_t i = 0; i < starts.size(); ++i) {
      ASSERT_EQ(nodes[i * 30], starts[i]);
      for (size_t step = 1; step < 30; ++step) {
        const NodeId from = nodes[i * 30 + step - 1];
        const NodeId to = nodes[i * 30 + step];
        ASSERT_TRUE(view.AreNeighbors(from, to)) << from << " to " << to;
        ASSERT_NE(folds.FoldOf(from, to), 1);
      }
    }
  }
}

TEST(RandomWalksTest, WalkDependsOnItsStartAndRoundAlone) {
  const auto snapshot = BuildSnapshotOrDie(KiteGraph());
  const WalkGraph graph{GraphView(*snapshot)};
  for (const double p : {1.0, 4.0}) {
    const RandomWalks walks(graph, {20, p, 1, 3});
    std::vector<NodeId> together(60), alone(20), later(20);
    walks.Walk(std::vector<NodeId>{0, 3, 4}, 7, together);
    walks.Walk(std::vector<NodeId>{3}, 7, alone);
    walks.Walk(std::vector<NodeId>{3}, 8, later);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + 20));
    EXPECT_NE(alone, later);
  }
}

// Frequencies of the next node after `previous`, `current` in long walks.
std::map<NodeId, double> NextShares(const WalkGraph& graph, double p, double q,
                                    NodeId previous, NodeId current,
                                    double* count) {
  constexpr int kLength = 400000;
  const RandomWalks walks(graph, {kLength, p, q, 21});
  std::vector<NodeId> nodes(kLength);
  walks.Walk(std::vector<NodeId>{0}, 0, nodes);
  std::map<NodeId, double> shares;
  *count = 0;
  for (int i = 2; i < kLength; ++i) {
    if (nodes[i - 2] != previous || nodes[i - 1] != current) continue;
    ++shares[nodes[i]];
    ++*count;
  }
  for (auto& [node, share] : shares) share /= *count;
  return shares;
}

// The share is within five standard errors of the exact probability.
void ExpectShare(double share, double probability, double count) {
  EXPECT_NEAR(share, probability,
              5 * std::sqrt(probability * (1 - probability) / count));
}

TEST(RandomWalksTest, SecondOrderStepsHaveExactProbabilities) {
  const auto snapshot = BuildSnapshotOrDie(KiteGraph());
  const WalkGraph graph{GraphView(*snapshot)};
  for (const auto& [p, q] : std::vector<std::pair<double, double>>{
           {0.25, 4.0}, {4.0, 0.5}, {2.0, 1.0}, {1.0, 3.0}}) {
    // From 0 to 1: back to 0 weighs 1/p, to 2 (a neighbour of 0) 1, to 3 1/q.
    double count = 0;
    std::map<NodeId, double> shares = NextShares(graph, p, q, 0, 1, &count);
    ASSERT_GT(count, 2000);
    const double total = 1 / p + 1 + 1 / q;
    ExpectShare(shares[0], 1 / p / total, count);
    ExpectShare(shares[2], 1 / total, count);
    ExpectShare(shares[3], 1 / q / total, count);
  }
}

TEST(RandomWalksTest, UniformStepsHaveEqualProbabilities) {
  const auto snapshot = BuildSnapshotOrDie(KiteGraph());
  const WalkGraph graph{GraphView(*snapshot)};
  double count = 0;
  std::map<NodeId, double> shares = NextShares(graph, 1, 1, 0, 1, &count);
  for (const NodeId next : {0, 2, 3}) ExpectShare(shares[next], 1 / 3.0, count);
}

}  // namespace
}  // namespace slice
