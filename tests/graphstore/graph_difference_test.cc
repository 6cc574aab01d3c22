#include "graphstore/graph_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "common/random.h"
#include "graphstore/graph_export.h"
#include "tests/testing/random_history.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const GraphSnapshot> ApplyAll(
    std::shared_ptr<const GraphSnapshot> graph,
    const std::vector<GraphChanges>& changes) {
  for (const GraphChanges& some : changes) graph = *graph->Apply(some, 1);
  return graph;
}

class GraphDifferenceTest : public ::testing::TestWithParam<uint64_t> {
 protected:
  GraphDifferenceTest() : start_(RandomMultigraph({}, GetParam())) {
    RandomHistory history(start_, GetParam());
    later_ = base_ = BuildSnapshotOrDie(start_);
    for (int i = 0; i < 30; ++i) later_ = *later_->Apply(history.Next(20), 1);
  }

  const GraphData start_;
  std::shared_ptr<const GraphSnapshot> base_, later_;
};

TEST_P(GraphDifferenceTest, MakesAVersionOfItsBaseWithEveryId) {
  const auto changes = ChangesBetween(*base_, *later_);
  ASSERT_TRUE(changes.ok()) << changes.status();
  const auto made = ApplyAll(base_, *changes);
  EXPECT_EQ(GraphDigest(made->Data()), GraphDigest(later_->Data()));
  ASSERT_EQ(made->node_count(), later_->node_count());
  for (NodeId node = 0; node < made->node_count(); ++node) {
    EXPECT_EQ(made->IsRemoved(node), later_->IsRemoved(node));
  }
}

// The other graph has its own ids, and less than the version or more.
TEST_P(GraphDifferenceTest, MakesTheSameGraphOfAnother) {
  RandomHistory other_history(start_, GetParam() + 100);
  auto other = base_;
  for (int i = 0; i < 10; ++i) other = *other->Apply(other_history.Next(20), 1);
  GraphData shuffled = WithoutRemovedNodes(*other);
  Random random(GetParam());
  std::vector<NodeId> ids(shuffled.catalogue.nodes.size());
  for (NodeId i = 0; i < ids.size(); ++i) ids[i] = i;
  std::shuffle(ids.begin(), ids.end(), random);
  std::vector<NodeRecord> nodes(ids.size());
  for (NodeId i = 0; i < ids.size(); ++i)
    nodes[ids[i]] = shuffled.catalogue.nodes[i];
  shuffled.catalogue.nodes = std::move(nodes);
  for (Link& link : shuffled.links) {
    link.source = ids[link.source];
    link.target = ids[link.target];
  }
  const auto from = BuildSnapshotOrDie(shuffled);
  const auto changes = ChangesBetween(*from, *later_);
  ASSERT_TRUE(changes.ok()) << changes.status();
  const auto made = ApplyAll(from, *changes);
  ASSERT_EQ(made->present_node_count(), later_->present_node_count());
  ASSERT_EQ(made->link_count(), later_->link_count());
  const auto id_in_made = [&](NodeId node) {
    return *made->names().FindKey(later_->Key(node));
  };
  for (NodeId node = 0; node < later_->node_count(); ++node) {
    if (later_->IsRemoved(node)) continue;
    const NodeId there = id_in_made(node);
    EXPECT_EQ(made->Name(there), later_->Name(node));
    EXPECT_EQ(made->TypeName(made->Type(there)),
              later_->TypeName(later_->Type(node)));
    const ArcSpan arcs = later_->Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      EXPECT_EQ(made->WeightOf(
                    {there, arcs.relations[i], id_in_made(arcs.neighbors[i])}),
                arcs.Weight(i));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, GraphDifferenceTest,
                         ::testing::Range<uint64_t>(0, 8));

TEST(GraphDifferenceErrorTest, NamesARelationThatIsUnknown) {
  GraphData data = ToyGraph();
  data.catalogue.relations.push_back("likes");
  const RelationId likes =
      static_cast<RelationId>(data.catalogue.relations.size() - 1);
  data.links.push_back({0, likes, 1});
  const auto changes =
      ChangesBetween(*ToySnapshot(), *BuildSnapshotOrDie(data));
  EXPECT_EQ(changes.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(changes.status().message()), HasSubstr("likes"));
}

}  // namespace
}  // namespace slice
