#include "context/beam_paths.h"

#include <gtest/gtest.h>

#include "context/context_generator.h"
#include "tests/context/brute_paths.h"

namespace slice {
namespace {

// Whether every node found lies on a path between the ends over nodes found.
bool AllOnPaths(const std::vector<NodeId>& nodes, const Link& link,
                const std::vector<std::set<NodeId>>& neighbors, int max_hops) {
  std::set<NodeId> covered;
  const std::set<NodeId> found(nodes.begin(), nodes.end());
  for (int hops = 2; hops <= max_hops; ++hops) {
    for (const auto& path :
         BrutePaths(neighbors.size(), link, hops, [&](int, NodeId a, NodeId b) {
           return neighbors[a].contains(b) &&
                  (found.contains(b) || b == link.target);
         })) {
      covered.insert(path.begin(), path.end());
    }
  }
  return covered == found;
}

TEST(FindRandomPathNodes, FindsPathsThatExist) {
  int found = 0;
  ForEachHidingCase(
      {.nodes = 20, .links = 40, .hubs = 0}, 6, 20,
      [&](const HidingCase& test) {
        if (test.query.source == test.query.target) return;
        const auto neighbors =
            NeighborSets(VisibleLinkList(test), test.snapshot->node_count());
        const NodesBetween between =
            FindRandomPathNodes(test.View(), {4, 2, 500}, test.query, 3, 6);
        EXPECT_TRUE(AllOnPaths(between.nodes, test.query, neighbors, 4));
        EXPECT_EQ(between.nodes.empty(), between.hops < 0);
        found += !between.nodes.empty();
      });
  EXPECT_GT(found, 100);
}

TEST(FindRandomPathNodes, WithAWideBeamFindsEveryCommonNeighbor) {
  ForEachHidingCase(
      {.nodes = 20, .links = 40, .hubs = 0}, 6, 20,
      [&](const HidingCase& test) {
        if (test.query.source == test.query.target) return;
        const auto neighbors =
            NeighborSets(VisibleLinkList(test), test.snapshot->node_count());
        const NodesBetween between =
            FindRandomPathNodes(test.View(), {2, 64, 500}, test.query, 3, 62);
        std::set<NodeId> common;
        for (const NodeId node : neighbors[test.query.source]) {
          if (neighbors[node].contains(test.query.target)) {
            common.insert(node);
          }
        }
        EXPECT_EQ(std::set<NodeId>(between.nodes.begin(), between.nodes.end()),
                  common);
      });
}

// Source 0 and target 1 are joined by 2, 3, 4 and 5.
GraphData FourBetween() {
  GraphData data;
  data.catalogue.relations = {"r"};
  data.catalogue.node_types = {"node"};
  for (int i = 0; i < 6; ++i) {
    data.catalogue.nodes.push_back(
        {.key = "n" + std::to_string(i), .name = "", .type = 0});
  }
  for (NodeId node = 2; node < 6; ++node) {
    data.links.push_back({0, 0, node});
    data.links.push_back({1, 0, node});
  }
  return data;
}

TEST(FindCoherentPathNodes, FollowsTheMostSimilarNeighbors) {
  const auto graph = BuildSnapshotOrDie(FourBetween());
  const GraphView view(*graph);
  // The ends point along the axes; 4 lies between them, then 2, then 5.
  const std::vector<float> table = {1,  0,  0, 1, 1, 0.5f,  //
                                    -1, -1, 1, 1, 0, 2};
  const auto nodes = [&](int width, NodeEmbeddings embeddings) {
    return FindCoherentPathNodes(view, {2, width, 500}, embeddings, {0, 0, 1},
                                 10)
        .nodes;
  };
  EXPECT_EQ(nodes(2, {table, 2}), (std::vector<NodeId>{4, 2}));
  EXPECT_EQ(nodes(3, {table, 2}), (std::vector<NodeId>{4, 2, 5}));
  // Without embeddings, or for nodes without a row, ids decide.
  EXPECT_EQ(nodes(2, {}), (std::vector<NodeId>{2, 3}));
  const std::vector<float> short_table(table.begin(), table.begin() + 6);
  EXPECT_EQ(nodes(2, {short_table, 2}), (std::vector<NodeId>{2, 3}));
}

TEST(FindCoherentPathNodes, IsReachedThroughTheGenerator) {
  const auto graph = BuildSnapshotOrDie(FourBetween());
  const std::vector<float> table = {1,  0,  0, 1, 1, 0.5f,  //
                                    -1, -1, 1, 1, 0, 2};
  const ContextGenerator generator(
      {.strategy = ContextStrategy::kCoherentPaths, .beam_width = 1},
      {table, 2});
  const ContextSubgraph context =
      generator.Cut(GraphView(*graph), {0, 0, 1}, 1);
  ASSERT_EQ(context.tokens.size(), 3u);
  EXPECT_EQ(context.tokens[2].node, 4u);
}

TEST(CosineSimilarity, IsZeroWhereThereIsNoDirection) {
  const std::vector<float> a = {3, 4}, b = {4, 3}, zero = {0, 0};
  EXPECT_NEAR(CosineSimilarity(a, b), 24.0 / 25, 1e-6);
  EXPECT_EQ(CosineSimilarity(a, zero), 0);
  EXPECT_EQ(CosineSimilarity(a, {}), 0);
}

}  // namespace
}  // namespace slice
