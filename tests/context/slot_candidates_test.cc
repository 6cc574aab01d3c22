#include "context/slot_candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"
#include "tests/testing/two_kinds_graph.h"

namespace slice {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Not;
using ::testing::SizeIs;

TEST(SlotCandidatesTest, AreTheTypesSeenInThatPlace) {
  const auto graph = ToySnapshot();
  const RelationId tagged = ToyRelation(*graph, "tagged");
  for (const NodeId node : SlotCandidates(*graph, tagged, Direction::kOut)) {
    EXPECT_EQ(graph->TypeName(graph->Type(node)), "tag");
  }
  const auto sources = SlotCandidates(*graph, tagged, Direction::kIn);
  EXPECT_GT(sources.size(), 5u);
  for (const NodeId node : sources) {
    EXPECT_EQ(graph->TypeName(graph->Type(node)), "package");
  }
}

TEST(SlotCandidatesTest, LoseNodesOfAnotherKindInAGraphWithoutTypes) {
  const auto graph = TwoKindsGraph();
  const RelationId born_in = 1;
  std::vector<NodeId> targets =
      SlotCandidates(*graph, born_in, Direction::kOut);
  EXPECT_THAT(targets, Contains(NodeId{0}));  // a person
  EraseUnfit(*graph, graph->schema(), born_in, Direction::kOut, targets);
  EXPECT_THAT(targets, SizeIs(kPlaces + 1));  // and "lonely"
  for (const NodeId node : targets) EXPECT_GE(node, kPeople);
  std::vector<NodeId> sources = SlotCandidates(*graph, born_in, Direction::kIn);
  EraseUnfit(*graph, graph->schema(), born_in, Direction::kIn, sources);
  EXPECT_THAT(sources, SizeIs(kPeople + 1));
}

TEST(SlotCandidatesTest, HoldNodesThatNoLinkOfTheRelationUses) {
  GraphData data = ToyGraph();
  data.catalogue.nodes.push_back(
      {"new::tag", "new::tag",
       ToySnapshot()->Type(ToyNode(*ToySnapshot(), "web::browser"))});
  const auto graph = BuildSnapshotOrDie(data);
  const RelationId tagged = ToyRelation(*graph, "tagged");
  EXPECT_THAT(SlotCandidates(*graph, tagged, Direction::kOut),
              AllOf(SizeIs(3), Contains(ToyNode(*graph, "new::tag"))));
  EXPECT_THAT(SlotCandidates(*graph, tagged, Direction::kIn),
              Not(Contains(ToyNode(*graph, "new::tag"))));
}

TEST(SlotCandidatesTest, AreAllNodesWhenTheGraphHasNoLinkOfTheRelation) {
  GraphData data = ToyGraph();
  const RelationId tagged = ToyRelation(*ToySnapshot(), "tagged");
  std::erase_if(data.links,
                [tagged](const Link& link) { return link.relation == tagged; });
  const auto graph = BuildSnapshotOrDie(data);
  EXPECT_THAT(SlotTypes(*graph, tagged, Direction::kOut), SizeIs(0));
  EXPECT_THAT(SlotCandidates(*graph, tagged, Direction::kOut),
              SizeIs(graph->node_count()));
}

}  // namespace
}  // namespace slice
