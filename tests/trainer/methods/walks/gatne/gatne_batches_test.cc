#include "trainer/methods/walks/gatne/gatne_batches.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// A path 0 - 1 - 2 of the relation r; the node 1 is of another type than the
// rest. The node 3 has links of s to the nodes 4 and 0, and 5 has none.
GraphData Path() {
  GraphData data;
  data.catalogue.node_types = {"user", "item"};
  data.catalogue.relations = {"r", "s"};
  for (const char* key : {"a", "b", "c", "d", "e", "f"}) {
    data.catalogue.nodes.push_back({key, key, 0});
  }
  data.catalogue.nodes[1].type = 1;
  data.links = {{0, 0, 1}, {1, 0, 2}, {3, 1, 4}, {3, 1, 0}};
  return data;
}

class GatneBatchesTest : public ::testing::Test {
 protected:
  WalkWindows Draw(const GatneBatchOptions& options,
                   const std::vector<LayerNode>& starts, uint64_t round) const {
    return GatneBatches(*snapshot_, graph_, options).Draw(starts, round);
  }

  // How often each node is noise for the context node 2, of the first type.
  std::map<NodeId, int> NoiseOfUsers(double power) const {
    const WalkWindows batch = Draw({.walk_length = 2,
                                    .window = {.reach = 1, .negatives = 20000},
                                    .noise_power = power,
                                    .typed_noise = true},
                                   {graph_.FirstOf(2)}, 0);
    std::map<NodeId, int> drawn;
    // The second window has the centre 1 and the context node 2.
    for (const NodeId node : batch.NodesOf(1).subspan(1)) ++drawn[node];
    return drawn;
  }

  const std::shared_ptr<const GraphSnapshot> snapshot_ =
      BuildSnapshotOrDie(Path());
  const LayeredGraph graph_{GraphView(*snapshot_)};
};

TEST_F(GatneBatchesTest, NoiseIsOfTheTypeAndByNeighbors) {
  // 0 and 3 have two neighbours over all relations, 2 and 4 one, 5 none; 2 is
  // in the window.
  const auto drawn = NoiseOfUsers(2);
  EXPECT_EQ(drawn.size(), 3u);
  EXPECT_NEAR(drawn.at(0), 8000, 300);
  EXPECT_NEAR(drawn.at(3), 8000, 300);
  EXPECT_NEAR(drawn.at(4), 2000, 300);
}

TEST_F(GatneBatchesTest, ThePowerZeroDrawsAllLinkedNodesAlike) {
  const auto drawn = NoiseOfUsers(0);
  EXPECT_EQ(drawn.size(), 3u);
  for (const NodeId node : {0, 3, 4}) {
    EXPECT_NEAR(drawn.at(node), 5000, 300) << node;
  }
}

TEST_F(GatneBatchesTest, NoiseThatIsNotTypedIsOfAnyType) {
  const WalkWindows batch =
      Draw({.walk_length = 2, .window = {.reach = 1, .negatives = 200}},
           {graph_.FirstOf(3)}, 0);
  const auto noise = batch.NodesOf(0).subspan(1);
  EXPECT_NE(std::find(noise.begin(), noise.end(), NodeId{1}), noise.end());
}

TEST_F(GatneBatchesTest, WindowsAreThoseOfTheWalks) {
  const LayerNode start = graph_.FirstOf(1);
  const WalkWindows batch = Draw({.walk_length = 4,
                                  .window = {.reach = 1, .negatives = 3},
                                  .typed_noise = true},
                                 {start}, 0);
  const std::vector<LayerNode>& walk = batch.centres;
  ASSERT_EQ(walk.size(), 4u);
  EXPECT_EQ(walk[0], start);
  EXPECT_EQ(walk[2], start);
  EXPECT_THAT(batch.context_counts, ElementsAre(1, 2, 2, 1));
  EXPECT_EQ(batch.NodesOf(1)[0], graph_.NodeOf(walk[0]));
  EXPECT_EQ(batch.NodesOf(1)[1], graph_.NodeOf(walk[2]));
  // All noise for the item is the item itself, and left out.
  EXPECT_EQ(batch.NodesOf(1).size(), 2u);
}

TEST_F(GatneBatchesTest, RelationsAreTogetherWhateverTheOrderOfStarts) {
  const std::vector<LayerNode> starts = {graph_.FirstOf(3), graph_.FirstOf(1),
                                         graph_.FirstOf(0) + 1,
                                         graph_.FirstOf(0)};
  const WalkWindows batch = Draw({.walk_length = 3}, starts, 1);
  std::vector<int> relations;
  for (const LayerNode centre : batch.centres) {
    relations.push_back(graph_.RelationOf(centre));
  }
  ASSERT_EQ(relations.size(), 12u);
  EXPECT_TRUE(std::is_sorted(relations.begin(), relations.end()));
  EXPECT_THAT(std::vector<int>(relations.begin(), relations.begin() + 6),
              Each(0));
}

TEST_F(GatneBatchesTest, WindowsDependOnTheirStartTheRoundAndTheSeed) {
  const GatneBatchOptions options = {.walk_length = 5};
  const std::vector<LayerNode> starts = {graph_.FirstOf(2), graph_.FirstOf(3)};
  const WalkWindows both = Draw(options, starts, 1);
  const WalkWindows alone = Draw(options, {starts[0]}, 1);
  const auto head = std::vector<NodeId>(
      both.nodes.begin(),
      both.nodes.begin() + static_cast<ptrdiff_t>(alone.nodes.size()));
  EXPECT_EQ(head, alone.nodes);
  EXPECT_NE(Draw(options, starts, 2).nodes, both.nodes);
  EXPECT_NE(Draw({.walk_length = 5, .seed = 9}, starts, 1).nodes, both.nodes);
}

}  // namespace
}  // namespace slice
