#include "graphstore/merged_changes.h"

#include <gtest/gtest.h>

#include <memory>

#include "graphstore/graph_snapshot.h"
#include "tests/testing/random_history.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

// Histories that are applied in sums end as those that are applied one by one.
class MergedHistoryTest : public ::testing::TestWithParam<uint64_t> {};

TEST_P(MergedHistoryTest, EndsAsEachChangeByItself) {
  const GraphData start = RandomMultigraph({}, GetParam());
  RandomHistory history(start, GetParam());
  auto graph = BuildSnapshotOrDie(start);
  MergedChanges together(graph->node_count());
  int merged = 0;
  for (int version = 0; version < 300; ++version) {
    const GraphChanges changes = history.Next(1 + version % 4);
    if (!together.Admits(changes) || together.size() > 60) {
      graph = *graph->Apply(together.Take(), 0);
      EXPECT_EQ(together.size(), 0u);
      --merged;
    }
    together.Add(changes);
    ++merged;
  }
  graph = *graph->Apply(together.Take(), 0);
  EXPECT_EQ(GraphDigest(graph->Data()), GraphDigest(history.Now()));
  for (NodeId node = 0; node < graph->node_count(); ++node) {
    EXPECT_EQ(graph->IsRemoved(node), history.removed().contains(node));
  }
  EXPECT_GT(merged, 100) << "hardly any changes shared a sum";
}

INSTANTIATE_TEST_SUITE_P(Seeds, MergedHistoryTest,
                         ::testing::Range<uint64_t>(0, 12));

TEST(MergedChangesTest, TheLastWordOnALinkCounts) {
  MergedChanges together(4);
  const Link link = {0, 0, 1};
  together.Add({.added_links = {{link, 1}}});
  together.Add({.removed_links = {link}});
  together.Add({.added_links = {{link, 2.5f}}});
  const GraphChanges sum = together.Take();
  ASSERT_EQ(sum.added_links.size(), 1u);
  EXPECT_EQ(sum.added_links[0].weight, 2.5f);
  EXPECT_TRUE(sum.removed_links.empty());
}

TEST(MergedChangesTest, RefusesWhatARemovalDependsOn) {
  MergedChanges together(4);
  together.Add({.added_links = {{{0, 0, 1}, 1}}});
  EXPECT_FALSE(together.Admits({.removed_nodes = {1}}));
  EXPECT_TRUE(together.Admits({.removed_nodes = {2}}));
  together.Add({.removed_nodes = {2}});
  EXPECT_FALSE(together.Admits({.added_links = {{{0, 0, 2}, 1}}}));
  EXPECT_FALSE(together.Admits({.removed_links = {{2, 0, 0}}}));
  EXPECT_FALSE(together.Admits({.set_nodes = {{2, {"key", "name", 0}}}}));
}

}  // namespace
}  // namespace slice
