#include "graphstore/graph_view.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

std::vector<NodeId> ToVector(const NeighborList& list) {
  std::vector<NodeId> nodes;
  list.ForEach([&](NodeId node) { nodes.push_back(node); });
  return nodes;
}

std::vector<Arc> Arcs(const GraphView& view, NodeId node) {
  std::vector<Arc> arcs;
  view.ForEachArc(node, [&](const Arc& arc) { arcs.push_back(arc); });
  return arcs;
}

// What the view under test hides, as plain predicates.
struct Hiding {
  GraphView* view;
  std::vector<std::function<bool(const Link&)>> rules;

  void Pair(NodeId a, NodeId b) {
    view->HidePair(a, b);
    rules.push_back([=](const Link& link) {
      return (link.source == a && link.target == b) ||
             (link.source == b && link.target == a);
    });
  }
  void OneLink(const Link& hidden) {
    view->HideLink(hidden);
    rules.push_back([=](const Link& link) { return link == hidden; });
  }
  void Slot(NodeId source, RelationId relation) {
    view->HideRelationAtSource(source, relation);
    rules.push_back([=](const Link& link) {
      return link.source == source && link.relation == relation;
    });
  }
  void Fold(const LinkFolds* folds, int fold) {
    view->HideFold(folds, fold);
    rules.push_back(
        [=](const Link& link) { return folds->FoldOf(link) == fold; });
  }
  bool operator()(const Link& link) const {
    return std::any_of(rules.begin(), rules.end(),
                       [&](const auto& rule) { return rule(link); });
  }
};

void ExpectSameNode(const GraphView& view, const GraphView& rebuilt,
                    NodeId node) {
  const NeighborList neighbors = view.Neighbors(node);
  const std::vector<NodeId> expected = ToVector(rebuilt.Neighbors(node));
  EXPECT_THAT(ToVector(neighbors), ElementsAreArray(expected));
  ASSERT_EQ(neighbors.size(), expected.size());
  EXPECT_EQ(view.NeighborCount(node), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(neighbors[i], expected[i]);
  EXPECT_THAT(Arcs(view, node), ElementsAreArray(Arcs(rebuilt, node)));
  EXPECT_EQ(view.ArcCount(node), rebuilt.ArcCount(node));
  for (size_t r = 0; r < view.snapshot().relation_count(); ++r) {
    const auto relation = static_cast<RelationId>(r);
    for (Direction direction : {Direction::kOut, Direction::kIn}) {
      EXPECT_EQ(view.SlotDegree(node, relation, direction),
                rebuilt.SlotDegree(node, relation, direction));
    }
  }
}

void ExpectSamePair(const GraphView& view, const GraphView& rebuilt, NodeId a,
                    NodeId b) {
  EXPECT_EQ(view.AreNeighbors(a, b), rebuilt.AreNeighbors(a, b));
  EXPECT_EQ(view.Neighbors(a).Contains(b), rebuilt.AreNeighbors(a, b));
  EXPECT_THAT(view.ArcsBetween(a, b),
              ElementsAreArray(rebuilt.ArcsBetween(a, b)));
  for (size_t r = 0; r < view.snapshot().relation_count(); ++r) {
    const Link link{a, static_cast<RelationId>(r), b};
    EXPECT_EQ(view.HasLink(link), rebuilt.HasLink(link));
  }
}

// Every answer of `view` equals that of a view of the graph rebuilt without the
// hidden links.
void ExpectEqualsRebuilt(const GraphView& view, const GraphData& data,
                         const Hiding& hiding) {
  const auto rebuilt_snapshot =
      BuildSnapshotOrDie(RebuildWithout(data, hiding));
  const GraphView rebuilt(*rebuilt_snapshot);
  for (NodeId a = 0; a < view.node_count(); ++a) {
    SCOPED_TRACE(testing::Message() << "node " << a);
    ExpectSameNode(view, rebuilt, a);
    for (NodeId b = 0; b < view.node_count(); ++b)
      ExpectSamePair(view, rebuilt, a, b);
    if (testing::Test::HasFailure()) return;
  }
}

void HideAtRandom(const GraphData& data, const LinkFolds& folds, bool with_fold,
                  Random* random, Hiding* hiding) {
  const size_t operations = 1 + random->Below(8);
  for (size_t i = 0; i < operations; ++i) {
    const Link& link =
        data.links[random->Below(static_cast<uint32_t>(data.links.size()))];
    switch (random->Below(6)) {
      case 0:
      case 1:
        hiding->OneLink(link);
        break;
      case 2:
        hiding->Pair(link.target, link.source);
        break;
      case 3:
        hiding->Pair(
            random->Below(static_cast<uint32_t>(data.catalogue.nodes.size())),
            link.source);
        break;
      default:
        hiding->Slot(link.source, link.relation);
    }
  }
  if (with_fold) hiding->Fold(&folds, random->Below(folds.fold_count()));
}

class GraphViewProperty : public testing::TestWithParam<uint64_t> {};

TEST_P(GraphViewProperty, EqualsTheRebuiltGraph) {
  Random random(GetParam());
  RandomMultigraphOptions options;
  options.nodes = 8 + random.Below(16);
  options.links = 10 + random.Below(120);
  const GraphData data = RandomMultigraph(options, GetParam());
  const auto snapshot = BuildSnapshotOrDie(data);
  const LinkFolds folds(3, GetParam());
  GraphView view(*snapshot);
  Hiding hiding{&view, {}};
  HideAtRandom(data, folds, /*with_fold=*/GetParam() % 4 == 0, &random,
               &hiding);
  ExpectEqualsRebuilt(view, data, hiding);
}

INSTANTIATE_TEST_SUITE_P(Seeds, GraphViewProperty,
                         testing::Range<uint64_t>(0, 120));

TEST(GraphViewTest, ShowsEverythingAtFirst) {
  const auto graph = ToySnapshot();
  const GraphView view(*graph);
  EXPECT_EQ(view.NeighborCount(ToyNode(*graph, "libssl3")), 5);
  EXPECT_EQ(view.ArcCount(ToyNode(*graph, "privoxy")), 3);
}

TEST(GraphViewTest, PairHidesEveryRelationInBothDirections) {
  const auto graph = ToySnapshot();
  const NodeId tls = ToyNode(*graph, "libssl3");
  const NodeId curl = ToyNode(*graph, "libcurl4");
  GraphView view(*graph);
  view.HidePair(tls, curl);
  EXPECT_THAT(view.ArcsBetween(tls, curl), IsEmpty());
  EXPECT_FALSE(view.AreNeighbors(curl, tls));
  EXPECT_FALSE(view.HasLink(ToyLink(*graph, "libcurl4", "depends", "libssl3")));
  EXPECT_FALSE(
      view.HasLink(ToyLink(*graph, "libssl3", "enhances", "libcurl4")));
}

TEST(GraphViewTest, OneLinkLeavesItsParallelLinks) {
  const auto graph = ToySnapshot();
  const Link depends = ToyLink(*graph, "curl", "depends", "libssl3");
  GraphView view(*graph);
  view.HideLink(depends);
  EXPECT_TRUE(view.AreNeighbors(depends.source, depends.target));
  EXPECT_THAT(view.ArcsBetween(depends.source, depends.target),
              ElementsAre(Arc{depends.target, ToyRelation(*graph, "recommends"),
                              Direction::kOut}));
}

TEST(GraphViewTest, LinksHiddenOneByOneHideTheNeighbor) {
  const auto graph = ToySnapshot();
  const Link depends = ToyLink(*graph, "curl", "depends", "libssl3");
  GraphView view(*graph);
  view.HideLink(depends);
  view.HideLink(ToyLink(*graph, "curl", "recommends", "libssl3"));
  EXPECT_FALSE(view.AreNeighbors(depends.target, depends.source));
  EXPECT_FALSE(view.Neighbors(depends.source).Contains(depends.target));
}

TEST(GraphViewTest, RelationAtSourceReachesNodesThatWereNotNamed) {
  const auto graph = ToySnapshot();
  GraphView view(*graph);
  view.HideRelationAtSource(ToyNode(*graph, "firefox"),
                            ToyRelation(*graph, "tagged"));
  EXPECT_TRUE(view.Neighbors(ToyNode(*graph, "web::browser")).empty());
}

TEST(GraphViewTest, HidingTwiceIsHidingOnce) {
  const auto graph = ToySnapshot();
  const Link link = ToyLink(*graph, "curl", "depends", "libcurl4");
  GraphView view(*graph);
  view.HidePair(link.source, link.target);
  view.HidePair(link.target, link.source);
  view.HideLink(link);
  view.HideRelationAtSource(link.source, link.relation);
  EXPECT_EQ(view.ArcCount(link.target), 4);
  EXPECT_EQ(view.SlotDegree(link.target, link.relation, Direction::kIn), 1);
}

// Then reading the ends of a link that does not exist stays fast.
TEST(GraphViewTest, HidingWhatIsNotThereChangesNoNode) {
  const auto graph = ToySnapshot();
  const NodeId curl = ToyNode(*graph, "curl");
  const NodeId browser = ToyNode(*graph, "web::browser");
  const RelationId depends = ToyRelation(*graph, "depends");
  GraphView view(*graph);
  view.HidePair(curl, browser);
  view.HidePair(curl, curl);
  view.HideLink({curl, depends, browser});
  EXPECT_TRUE(view.HasAllArcs(curl));
  EXPECT_TRUE(view.HasAllArcs(browser));
}

TEST(GraphViewTest, CopiesHideApart) {
  const auto graph = ToySnapshot();
  const Link link = ToyLink(*graph, "curl", "depends", "libcurl4");
  const GraphView all(*graph);
  GraphView copy = all;
  copy.HideLink(link);
  EXPECT_TRUE(all.HasLink(link));
  EXPECT_FALSE(copy.HasLink(link));
}

// Several threads read views of one snapshot, and one shared view.
TEST(GraphViewTest, ThreadsReadTogether) {
  const GraphData data = RandomMultigraph({.links = 400}, 2);
  const auto graph = BuildSnapshotOrDie(data);
  GraphView shared(*graph);
  shared.HideRelationAtSource(0, 1);
  shared.HidePair(0, 1);
  const auto sum = [](const GraphView& view) {
    uint64_t total = 0;
    for (NodeId node = 0; node < view.node_count(); ++node) {
      view.Neighbors(node).ForEach([&](NodeId other) { total += other; });
      total += view.ArcCount(node) + view.NeighborCount(node);
    }
    return total;
  };
  const uint64_t expected = sum(shared);
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        GraphView own = shared;
        own.HidePair(2, 0);
        if (sum(shared) != expected || sum(own) > expected) ++wrong;
        if (!graph->names().FindKey("n3").has_value()) ++wrong;
      });
    }
  }
  EXPECT_EQ(wrong.load(), 0);
}

// A hub of many thousand links hides one relation; every answer stays exact.
TEST(GraphViewTest, HubHidesARelationOfThousandsOfLinks) {
  constexpr NodeId kLeaves = 5000;
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"a", "b"};
  data.catalogue.nodes.resize(kLeaves + 1);
  for (NodeId leaf = 1; leaf <= kLeaves; ++leaf) {
    data.catalogue.nodes[leaf].key = std::to_string(leaf);
    data.links.push_back({0, 0, leaf});
    if (leaf % 3 == 0) data.links.push_back({leaf, 1, 0});
  }
  const auto graph = BuildSnapshotOrDie(data);
  GraphView view(*graph);
  view.HideRelationAtSource(0, 0);
  const NeighborList kept = view.Neighbors(0);
  ASSERT_EQ(kept.size(), kLeaves / 3);
  for (size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i], 3 * (i + 1));
  EXPECT_EQ(view.NeighborCount(4), 0);
  EXPECT_EQ(view.NeighborCount(6), 1);
  EXPECT_EQ(view.ArcCount(0), kLeaves / 3);
}

}  // namespace
}  // namespace slice
