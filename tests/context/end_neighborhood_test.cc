#include "context/end_neighborhood.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

std::multiset<int32_t> Relations(const EndNeighborhood& end, NodeId node) {
  std::multiset<int32_t> relations;
  end.AnyRelation(node, [&](int32_t relation) {
    relations.insert(relation);
    return false;
  });
  return relations;
}

TEST(EndNeighborhood, KnowsNeighborsAndRelationsNotedOrSearched) {
  RandomMultigraphOptions options;
  options.nodes = 30;
  const GraphData data = RandomMultigraph(options, 5);
  const auto snapshot = BuildSnapshotOrDie(data);
  GraphView view(*snapshot);
  view.HidePair(0, 1);
  view.HideRelationAtSource(0, 1);
  EndNeighborhood noted, searched;
  for (NodeId node = 0; node < 30; ++node) {
    noted.Open(view, node, 1000);
    searched.Open(view, node, 0);
    for (NodeId other = 0; other < 30; ++other) {
      if (other == node) continue;
      std::multiset<int32_t> expected;
      for (const Arc& arc : view.ArcsBetween(node, other)) {
        expected.insert(SignedRelation(arc.relation, arc.direction));
      }
      EXPECT_EQ(noted.Contains(other), !expected.empty());
      EXPECT_EQ(searched.Contains(other), !expected.empty());
      if (expected.empty()) continue;
      EXPECT_EQ(Relations(noted, other), expected);
      EXPECT_EQ(Relations(searched, other), expected);
    }
  }
}

TEST(EndNeighborhood, StopsAtTheFirstRelationAccepted) {
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph({}, 5));
  const GraphView view(*snapshot);
  EndNeighborhood end;
  end.Open(view, 0, 1000);
  ASSERT_GT(end.degree(), 0u);
  const NodeId neighbor = end.neighbors()[0];
  int visits = 0;
  EXPECT_TRUE(
      end.AnyRelation(neighbor, [&](int32_t) { return ++visits == 1; }));
  EXPECT_EQ(visits, 1);
  EXPECT_FALSE(end.AnyRelation(neighbor, [](int32_t) { return false; }));
}

}  // namespace
}  // namespace slice
