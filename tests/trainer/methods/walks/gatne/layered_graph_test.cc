#include "trainer/methods/walks/gatne/layered_graph.h"

#include <algorithm>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;

// 0 -r-> 1, 1 -r-> 0, 1 -r-> 2, 2 -s-> 0, and self loops of 2 and of 3.
GraphData Small() {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"r", "s"};
  for (const char* key : {"a", "b", "c", "d"}) {
    data.catalogue.nodes.push_back({key, key, 0});
  }
  data.links = {{0, 0, 1}, {1, 0, 0}, {1, 0, 2},
                {2, 1, 0}, {2, 0, 2}, {3, 0, 3}};
  return data;
}

// The nodes of layer nodes.
std::vector<NodeId> NodesOf(const LayeredGraph& graph,
                            std::span<const LayerNode> layer_nodes) {
  std::vector<NodeId> nodes;
  for (const LayerNode i : layer_nodes) nodes.push_back(graph.NodeOf(i));
  return nodes;
}

class LayeredGraphTest : public ::testing::Test {
 protected:
  const std::shared_ptr<const GraphSnapshot> snapshot_ =
      BuildSnapshotOrDie(Small());
  const LayeredGraph graph_{GraphView(*snapshot_)};
};

TEST_F(LayeredGraphTest, ANodeIsInTheLayersThatLinkItToAnother) {
  EXPECT_EQ(graph_.node_count(), 4u);
  EXPECT_EQ(graph_.layer_node_count(), 5u);
  EXPECT_EQ(graph_.LayersOf(0), 2u);
  EXPECT_EQ(graph_.LayersOf(1), 1u);
  EXPECT_EQ(graph_.LayersOf(2), 2u);
  EXPECT_EQ(graph_.LayersOf(3), 0u);
  EXPECT_EQ(graph_.RelationOf(graph_.FirstOf(2) + 1), 1);
  EXPECT_EQ(graph_.NodeOf(graph_.FirstOf(2) + 1), 2u);
}

TEST_F(LayeredGraphTest, NeighborsAreUndirectedAndOfTheLayer) {
  const auto neighbors = [&](LayerNode i) {
    for (const LayerNode neighbor : graph_.Neighbors(i)) {
      EXPECT_EQ(graph_.RelationOf(neighbor), graph_.RelationOf(i));
    }
    return NodesOf(graph_, graph_.Neighbors(i));
  };
  EXPECT_THAT(neighbors(graph_.FirstOf(0)), ElementsAre(1));
  EXPECT_THAT(neighbors(graph_.FirstOf(0) + 1), ElementsAre(2));
  EXPECT_THAT(neighbors(graph_.FirstOf(1)), ElementsAre(0, 2));
  EXPECT_THAT(neighbors(graph_.FirstOf(2)), ElementsAre(1));
}

TEST_F(LayeredGraphTest, AWalkStaysInItsLayerAndFollowsLinks) {
  std::vector<LayerNode> walk(50);
  Random random(7);
  graph_.Walk(graph_.FirstOf(1), random, walk);
  EXPECT_EQ(walk[0], graph_.FirstOf(1));
  for (size_t i = 1; i < walk.size(); ++i) {
    const auto neighbors = graph_.Neighbors(walk[i - 1]);
    EXPECT_NE(std::find(neighbors.begin(), neighbors.end(), walk[i]),
              neighbors.end());
  }
  const auto visited = NodesOf(graph_, walk);
  EXPECT_EQ(std::set(visited.begin(), visited.end()).size(), 3u);
}

TEST(SampleNeighborsTest, TakesDistinctNeighborsAndAllOfFew) {
  const auto snapshot = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 12, .links = 150, .node_types = 1}, 3));
  const LayeredGraph graph{GraphView(*snapshot)};
  const LayerRows sample = graph.SampleNeighbors(3, 5);
  size_t cut = 0;
  for (LayerNode i = 0; i < graph.layer_node_count(); ++i) {
    const auto all = graph.Neighbors(i);
    const auto drawn = sample.Of(i);
    EXPECT_EQ(drawn.size(), std::min<size_t>(3, all.size()));
    EXPECT_EQ(std::set(drawn.begin(), drawn.end()).size(), drawn.size());
    for (const LayerNode neighbor : drawn) {
      EXPECT_NE(std::find(all.begin(), all.end(), neighbor), all.end());
    }
    if (all.size() > 3) ++cut;
  }
  EXPECT_GT(cut, 0u);
}

}  // namespace
}  // namespace slice
