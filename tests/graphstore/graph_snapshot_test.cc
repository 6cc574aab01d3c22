#include "graphstore/graph_snapshot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

class GraphSnapshotProperty : public testing::TestWithParam<uint64_t> {
 protected:
  const GraphData data_ =
      RandomMultigraph({.links = 60 + 40 * GetParam()}, GetParam());
  const std::set<Link> links_{data_.links.begin(), data_.links.end()};
  const std::shared_ptr<const GraphSnapshot> graph_ = BuildSnapshotOrDie(data_);
};

INSTANTIATE_TEST_SUITE_P(Seeds, GraphSnapshotProperty,
                         testing::Range<uint64_t>(0, 8));

TEST_P(GraphSnapshotProperty, ArcsAreTheLinksOfANode) {
  EXPECT_EQ(graph_->link_count(), links_.size());
  for (NodeId node = 0; node < graph_->node_count(); ++node) {
    for (Direction direction : {Direction::kOut, Direction::kIn}) {
      std::set<std::pair<RelationId, NodeId>> expected;
      for (const Link& link : links_) {
        if (direction == Direction::kOut && link.source == node)
          expected.insert({link.relation, link.target});
        if (direction == Direction::kIn && link.target == node)
          expected.insert({link.relation, link.source});
      }
      const ArcSpan arcs = graph_->Arcs(node, direction);
      std::vector<std::pair<RelationId, NodeId>> found;
      for (size_t i = 0; i < arcs.size(); ++i)
        found.emplace_back(arcs.relations[i], arcs.neighbors[i]);
      EXPECT_THAT(found, ElementsAreArray(expected));
    }
  }
}

TEST_P(GraphSnapshotProperty, NeighborsAreOneRelation) {
  for (NodeId node = 0; node < graph_->node_count(); ++node) {
    for (size_t r = 0; r < graph_->relation_count(); ++r) {
      const auto relation = static_cast<RelationId>(r);
      std::set<NodeId> out, in;
      for (const Link& link : links_) {
        if (link.relation != relation) continue;
        if (link.source == node) out.insert(link.target);
        if (link.target == node) in.insert(link.source);
      }
      EXPECT_THAT(graph_->Neighbors(node, relation, Direction::kOut),
                  ElementsAreArray(out));
      EXPECT_THAT(graph_->Neighbors(node, relation, Direction::kIn),
                  ElementsAreArray(in));
    }
  }
}

TEST_P(GraphSnapshotProperty, SlotsAreTheRelationsThatANodeHas) {
  for (NodeId node = 0; node < graph_->node_count(); ++node) {
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      std::map<RelationId, std::vector<NodeId>> expected, slots;
      for (const Link& link : links_) {
        const bool out = direction == Direction::kOut;
        if ((out ? link.source : link.target) != node) continue;
        expected[link.relation].push_back(out ? link.target : link.source);
      }
      RelationId least = 0;
      graph_->ForEachSlot(
          node, direction,
          [&](RelationId relation, std::span<const NodeId> neighbors) {
            EXPECT_GE(relation, least);
            least = relation + 1;
            slots[relation].assign(neighbors.begin(), neighbors.end());
          });
      for (auto& [relation, neighbors] : expected) std::ranges::sort(neighbors);
      EXPECT_EQ(slots, expected);
    }
  }
}

TEST_P(GraphSnapshotProperty, DistinctNeighborsLeaveTheNodeOut) {
  for (NodeId node = 0; node < graph_->node_count(); ++node) {
    std::set<NodeId> expected;
    for (const Link& link : links_) {
      if (link.source == node) expected.insert(link.target);
      if (link.target == node) expected.insert(link.source);
    }
    expected.erase(node);
    EXPECT_THAT(graph_->DistinctNeighbors(node), ElementsAreArray(expected));
    for (NodeId other = 0; other < graph_->node_count(); ++other) {
      EXPECT_EQ(graph_->AreNeighbors(node, other), expected.contains(other));
    }
  }
}

TEST_P(GraphSnapshotProperty, ArcsBetweenAreTheLinksOfAPair) {
  for (NodeId a = 0; a < graph_->node_count(); ++a) {
    for (NodeId b = 0; b < graph_->node_count(); ++b) {
      std::vector<Arc> expected;
      for (Direction direction : {Direction::kOut, Direction::kIn}) {
        for (size_t r = 0; r < graph_->relation_count(); ++r) {
          const auto relation = static_cast<RelationId>(r);
          const Link link = direction == Direction::kOut ? Link{a, relation, b}
                                                         : Link{b, relation, a};
          EXPECT_EQ(graph_->HasLink(link), links_.contains(link));
          if (links_.contains(link))
            expected.push_back({b, relation, direction});
        }
      }
      EXPECT_THAT(graph_->ArcsBetween(a, b), ElementsAreArray(expected));
    }
  }
}

TEST(GraphSnapshotTest, KnowsNamesTypesAndRelations) {
  const auto graph = ToySnapshot();
  const NodeId tls = ToyNode(*graph, "libssl3");
  EXPECT_EQ(graph->Name(tls), "TLS library");
  EXPECT_EQ(graph->TypeName(graph->Type(ToyNode(*graph, "web:team"))), "team");
  EXPECT_EQ(graph->RelationName(*graph->FindRelation("enhances")), "enhances");
  EXPECT_EQ(graph->FindRelation("likes"), std::nullopt);
  EXPECT_EQ(graph->relation_count(), 6);
  EXPECT_EQ(graph->node_type_count(), 3);
}

TEST(GraphSnapshotTest, SelfLoopIsAnArcButNoNeighbor) {
  const auto graph = ToySnapshot();
  const NodeId privoxy = ToyNode(*graph, "privoxy");
  EXPECT_THAT(graph->DistinctNeighbors(privoxy),
              ElementsAre(ToyNode(*graph, "firefox")));
  EXPECT_THAT(graph->ArcsBetween(privoxy, privoxy),
              ElementsAre(Arc{privoxy, 2, Direction::kOut},
                          Arc{privoxy, 2, Direction::kIn}));
}

TEST(GraphSnapshotTest, RunsOfManyRelationsAreFound) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.nodes.resize(300);
  for (int r = 0; r < 40; ++r)
    data.catalogue.relations.push_back(std::to_string(r));
  for (RelationId r = 0; r < 40; ++r) {
    for (NodeId n = 0; n <= r * 7u; ++n) data.links.push_back({299, r, n});
    data.links.push_back({298, r, 299});
  }
  const auto graph = BuildSnapshotOrDie(data);
  for (NodeId n = 0; n < 298; ++n) {
    std::vector<Arc> expected;
    for (RelationId r = 0; r < 40; ++r) {
      if (n <= r * 7u) expected.push_back({n, r, Direction::kOut});
    }
    EXPECT_THAT(graph->ArcsBetween(299, n), ElementsAreArray(expected));
  }
}

TEST(GraphSnapshotTest, KeepsItsVersion) {
  EXPECT_EQ((*GraphSnapshot::Build(ToyGraph(), 17))->graph_version(), 17);
}

TEST(GraphSnapshotTest, EmptyGraphIsAGraph) {
  const auto graph = GraphSnapshot::Build(GraphData{});
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ((*graph)->node_count(), 0);
  EXPECT_THAT((*graph)->names().FindPrefix("", {}, 0, 10), IsEmpty());
}

TEST(GraphSnapshotTest, LinksBeyondTheCatalogueAreRefused) {
  for (const Link& link : {Link{13, 0, 0}, Link{0, 0, 13}, Link{0, 6, 0}}) {
    GraphData data = ToyGraph();
    data.links.push_back(link);
    EXPECT_EQ(GraphSnapshot::Build(data).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(GraphSnapshotTest, TypesBeyondTheLimitAreRefused) {
  GraphData data = ToyGraph();
  data.catalogue.node_types.resize(65535, "t");
  data.catalogue.node_types.back() = "last";
  const auto graph = GraphSnapshot::Build(data);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ((*graph)->FindNodeType("last"), 65534);
  data.catalogue.node_types.emplace_back("one too many");
  const absl::Status refused = GraphSnapshot::Build(data).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(refused.message(),
            "a graph holds at most 65535 node types, not 65536");
}

TEST(GraphSnapshotTest, NodeOfAnUnknownTypeIsRefused) {
  GraphData data = ToyGraph();
  data.catalogue.nodes[4].type = 3;
  const auto graph = GraphSnapshot::Build(data);
  EXPECT_EQ(graph.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(graph.status().message()),
              testing::HasSubstr("libssl-dev"));
}

TEST(GraphSnapshotTest, WeightsFollowTheirArcsInBothDirections) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const GraphData data = RandomMultigraph({.weighted = true}, seed);
    std::map<Link, float> expected;
    for (size_t i = 0; i < data.links.size(); ++i) {
      float& weight = expected[data.links[i]];
      weight = std::max(weight, data.weights[i]);
    }
    const auto graph = BuildSnapshotOrDie(data);
    EXPECT_TRUE(graph->has_weights());
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      size_t arcs_seen = 0;
      for (NodeId node = 0; node < graph->node_count(); ++node) {
        const ArcSpan arcs = graph->Arcs(node, direction);
        ASSERT_EQ(arcs.weights.size(), arcs.size());
        arcs_seen += arcs.size();
        for (size_t i = 0; i < arcs.size(); ++i) {
          const Link link =
              direction == Direction::kOut
                  ? Link{node, arcs.relations[i], arcs.neighbors[i]}
                  : Link{arcs.neighbors[i], arcs.relations[i], node};
          EXPECT_EQ(arcs.Weight(i), expected.at(link));
        }
      }
      EXPECT_EQ(arcs_seen, expected.size());
    }
  }
}

TEST(GraphSnapshotTest, WithoutWeightsNoneAreKept) {
  GraphData data = RandomMultigraph({}, 1);
  data.weights.assign(data.links.size(), 1.0f);
  const auto graph = BuildSnapshotOrDie(data);
  EXPECT_FALSE(graph->has_weights());
  EXPECT_TRUE(graph->Arcs(0, Direction::kOut).weights.empty());
  EXPECT_EQ(graph->Arcs(0, Direction::kOut).Weight(0), 1);
}

TEST(GraphSnapshotTest, BadWeightsAreRefused) {
  const float bad[] = {0, -1, NAN, INFINITY};
  for (const float weight : bad) {
    GraphData data = RandomMultigraph({}, 1);
    data.weights.assign(data.links.size(), 2.0f);
    data.weights[3] = weight;
    EXPECT_EQ(GraphSnapshot::Build(data).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  GraphData data = RandomMultigraph({}, 1);
  data.weights = {1, 2};
  EXPECT_EQ(GraphSnapshot::Build(data).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace slice
