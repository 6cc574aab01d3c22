#include "trainer/embedding/random_walks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;

// A graph of one type with the given pairs as links.
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
        ASSERT_NE(folds.FoldOfPair(from, to), 1);
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

using Step = std::pair<NodeId, NodeId>;

// For each (previous, current), how often each node comes next in walks from
// every linked node.
std::map<Step, std::map<NodeId, double>> CountSteps(const WalkGraph& graph,
                                                    double p, double q,
                                                    int length) {
  const std::vector<NodeId> starts = graph.LinkedNodes();
  const RandomWalks walks(graph, {length, p, q, 21});
  std::vector<NodeId> nodes(starts.size() * length);
  walks.Walk(starts, 0, nodes);
  std::map<Step, std::map<NodeId, double>> counts;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i % length < 2) continue;
    ++counts[{nodes[i - 2], nodes[i - 1]}][nodes[i]];
  }
  return counts;
}

// Checks that every step with enough observations has the probability of the
// definition, within five standard errors.
void ExpectExactSteps(const WalkGraph& graph, double p, double q, int length,
                      const std::function<double(NodeId, NodeId)>& weight) {
  int checked = 0;
  for (auto& [step, nexts] : CountSteps(graph, p, q, length)) {
    const auto [previous, current] = step;
    double count = 0;
    for (const auto& [next, times] : nexts) count += times;
    if (count < 300) continue;
    ++checked;
    std::map<NodeId, double> exact;
    double total = 0;
    for (const NodeId next : graph.Neighbors(current)) {
      const auto row = graph.Neighbors(previous);
      const bool near = std::find(row.begin(), row.end(), next) != row.end();
      const double factor = next == previous ? 1 / p : near ? 1 : 1 / q;
      total += exact[next] = factor * weight(current, next);
    }
    for (const auto& [next, mass] : exact) {
      const double share = mass / total;
      EXPECT_NEAR(nexts[next] / count, share,
                  5 * std::sqrt(share * (1 - share) / count) + 1 / count)
          << previous << " to " << current << " to " << next << " with p " << p
          << ", q " << q;
    }
  }
  EXPECT_GT(checked, 5);
}

const std::pair<double, double> kReturnAndInOut[] = {
    {1, 1}, {0.25, 4}, {4, 0.5}, {2, 1}, {0.1, 1}, {1, 3}, {0.5, 0.25}};

TEST(RandomWalksTest, StepsOfAKiteHaveExactProbabilities) {
  const auto snapshot = BuildSnapshotOrDie(KiteGraph());
  const WalkGraph graph{GraphView(*snapshot)};
  for (const auto& [p, q] : kReturnAndInOut) {
    ExpectExactSteps(graph, p, q, 100000, [](NodeId, NodeId) { return 1.0; });
  }
}

// Hubs, self loops, parallel and reversed links, nodes without links.
TEST(RandomWalksTest, StepsOfAMultigraphHaveExactProbabilities) {
  const auto snapshot = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 24, .links = 60}, /*seed=*/3));
  const WalkGraph graph{GraphView(*snapshot)};
  ASSERT_LT(graph.LinkedNodes().size(), snapshot->node_count());
  for (const auto& [p, q] : kReturnAndInOut) {
    ExpectExactSteps(graph, p, q, 30000, [](NodeId, NodeId) { return 1.0; });
  }
}

TEST(RandomWalksTest, WeightedStepsHaveExactProbabilities) {
  const GraphData data = RandomMultigraph(
      {.nodes = 24, .links = 60, .weighted = true}, /*seed=*/3);
  const auto snapshot = BuildSnapshotOrDie(data);
  GraphView view(*snapshot);
  view.HidePair(data.links[0].source, data.links[0].target);
  const WalkGraph graph(view);
  ASSERT_TRUE(graph.is_weighted());
  std::map<Link, double> weights;  // a repeated link has its largest weight
  for (size_t i = 0; i < data.links.size(); ++i) {
    double& weight = weights[data.links[i]];
    weight = std::max(weight, double{data.weights[i]});
  }
  const auto weight = [&](NodeId a, NodeId b) {
    double sum = 0;
    for (const auto& [link, value] : weights) {
      const bool joins = (link.source == a && link.target == b) ||
                         (link.source == b && link.target == a);
      if (joins) sum += value;
    }
    return sum;
  };
  for (const auto& [p, q] : kReturnAndInOut) {
    ExpectExactSteps(graph, p, q, 30000, weight);
  }
}

TEST(RandomWalksTest, WalksOfAHubLeaveItAndComeBack) {
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (NodeId leaf = 1; leaf <= 100000; ++leaf) pairs.push_back({0, leaf});
  const auto snapshot = BuildSnapshotOrDie(PlainGraph(100001, pairs));
  const WalkGraph graph{GraphView(*snapshot)};
  for (const double q : {1.0, 0.5, 4.0}) {
    constexpr int kLength = 2001;
    const RandomWalks walks(graph, {kLength, /*p=*/1, q, 5});
    std::vector<NodeId> nodes(kLength);
    walks.Walk(std::vector<NodeId>{0}, 0, nodes);
    std::set<NodeId> leaves;
    for (int i = 1; i < kLength; i += 2) {
      ASSERT_EQ(nodes[i + 1], 0u);
      leaves.insert(nodes[i]);
    }
    EXPECT_GT(leaves.size(), 950u);
  }
}

}  // namespace
}  // namespace slice
