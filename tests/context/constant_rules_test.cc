#include "context/constant_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <vector>

#include "tests/testing/brute_path_count.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

constexpr size_t kAll = 1000000;
constexpr ConstantRuleLimits kUnlimited = {kAll, kAll, kAll, kAll,
                                           kAll, kAll, kAll};

// The evidence of constant rules by their definition, node by node.
class Definition {
 public:
  Definition(const GraphSnapshot& graph, const EndQuestion& question)
      : links_(LinkSet(graph)),
        nodes_(static_cast<NodeId>(graph.node_count())),
        question_(question) {
    for (size_t r = 0; r < graph.relation_count(); ++r) {
      for (const Direction direction : {Direction::kOut, Direction::kIn}) {
        relations_.push_back(
            SignedRelation(static_cast<RelationId>(r), direction));
      }
    }
  }

  double Evidence(NodeId c) const {
    double evidence = 0, strongest = 0;
    for (NodeId d = 0; d < nodes_; ++d) {
      for (const int32_t relation : relations_) {
        if (d != c && d != question_.anchor &&
            Joined(question_.anchor, relation, d)) {
          evidence += Term(c, [&](NodeId x) { return Joined(x, relation, d); });
        }
        if (GivesNeighborRule(relation, d, c)) {
          strongest = std::max(strongest, Term(c, [&](NodeId x) {
                                 return LeadsToAnswer(x, relation, d);
                               }));
        }
      }
    }
    return evidence + strongest;
  }

 private:
  bool Joined(NodeId x, int32_t relation, NodeId y) const {
    const auto id = RelationOfSigned(relation);
    return links_.contains(relation > 0 ? Link{x, id, y} : Link{y, id, x});
  }
  bool Answers(NodeId x, NodeId c) const {
    EndQuestion other = question_;
    other.anchor = x;
    return links_.contains(other.With(c));
  }
  // Whether a neighbour other than the anchor and c has the answer d.
  bool GivesNeighborRule(int32_t relation, NodeId d, NodeId c) const {
    for (NodeId y = 0; y < nodes_; ++y) {
      if (y != c && y != question_.anchor &&
          Joined(question_.anchor, relation, y) && Answers(y, d)) {
        return true;
      }
    }
    return false;
  }
  bool LeadsToAnswer(NodeId x, int32_t relation, NodeId d) const {
    for (NodeId y = 0; y < nodes_; ++y) {
      if (y != question_.anchor && Joined(x, relation, y) && Answers(y, d)) {
        return true;
      }
    }
    return false;
  }
  template <typename Body>
  double Term(NodeId c, const Body& body) const {
    double n = 0, k = 0;
    for (NodeId x = 0; x < nodes_; ++x) {
      if (x == question_.anchor || !body(x)) continue;
      n += 1;
      k += Answers(x, c);
    }
    return -std::log1p(-k / (n + 5));
  }

  std::set<Link> links_;
  NodeId nodes_;
  EndQuestion question_;
  std::vector<int32_t> relations_;
};

TEST(ConstantRules, AreTheirDefinition) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    const auto graph =
        BuildSnapshotOrDie(RandomMultigraph({.parallel_rate = 0.3}, seed));
    const auto nodes = static_cast<NodeId>(graph->node_count());
    ConstantRules rules(*graph, kUnlimited);
    int spoken_for = 0;
    for (NodeId anchor = 0; anchor < nodes; anchor += 2) {
      for (const Direction direction : {Direction::kOut, Direction::kIn}) {
        const EndQuestion question{anchor, RelationId(anchor / 2 % 4),
                                   direction};
        rules.Run(question);
        const Definition definition(*graph, question);
        for (NodeId node = 0; node < nodes; ++node) {
          const double expected = definition.Evidence(node);
          ASSERT_NEAR(rules.At(node), expected, 1e-4)
              << "seed " << seed << ", " << anchor << " and " << node;
          spoken_for += expected > 0;
        }
      }
    }
    EXPECT_GT(spoken_for, 100);
  }
}

// Nodes 0 to 2,999 are linked to node 3000 by relation 0; every second of these
// to node 3001 by relation 1.
TEST(ConstantRules, AskASampleOfMany) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"shares", "asked"};
  for (int i = 0; i < 3002; ++i) {
    data.catalogue.nodes.push_back({std::to_string(i), "", 0});
  }
  for (NodeId i = 0; i < 3000; ++i) {
    data.links.push_back({i, 0, 3000});
    if (i % 2 == 0) data.links.push_back({i, 1, 3001});
  }
  const auto graph = BuildSnapshotOrDie(data);
  ConstantRules rules(*graph);
  rules.Run({7, 1, Direction::kOut});
  EXPECT_NEAR(rules.At(3001), -std::log1p(-1500.0 / 3004), 0.05);
}

// The anchor, node 0, shares each of nodes 1 to 2,000 with one of the nodes
// 2,001 to 4,000, and all of these have the answer 4,001.
TEST(ConstantRules, FollowASampleOfTheLinksOfAHub) {
  constexpr NodeId kSide = 2000;
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"shares", "asked"};
  for (NodeId i = 0; i <= 2 * kSide + 1; ++i) {
    data.catalogue.nodes.push_back({std::to_string(i), "", 0});
  }
  for (NodeId i = 1; i <= kSide; ++i) {
    data.links.push_back({0, 0, i});
    data.links.push_back({kSide + i, 0, i});
    data.links.push_back({kSide + i, 1, 2 * kSide + 1});
  }
  const auto graph = BuildSnapshotOrDie(data);
  ConstantRules rules(*graph);
  rules.Run({0, 1, Direction::kOut});
  EXPECT_NEAR(rules.At(2 * kSide + 1), kSide * -std::log1p(-1.0 / 6), 0.5);
}

}  // namespace
}  // namespace slice
