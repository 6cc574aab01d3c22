#include "context/constant_rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "tests/testing/brute_path_count.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

// By definition: for every other node d and signed relation s that joins it to
// the anchor, who else s joins to d, and how many of these are linked to c.
double BruteEvidence(const std::set<Link>& links, NodeId nodes,
                     size_t relations, const EndQuestion& question, NodeId c) {
  const auto joined = [&](NodeId x, NodeId d, RelationId relation, bool out) {
    return links.contains(out ? Link{x, relation, d} : Link{d, relation, x});
  };
  double evidence = 0;
  for (NodeId d = 0; d < nodes; ++d) {
    if (d == question.anchor || d == c) continue;
    for (RelationId relation = 0; relation < relations; ++relation) {
      for (const bool out : {true, false}) {
        if (!joined(question.anchor, d, relation, out)) continue;
        double n = 0, k = 0;
        for (NodeId x = 0; x < nodes; ++x) {
          if (x == question.anchor || !joined(x, d, relation, out)) continue;
          n += 1;
          EndQuestion other = question;
          other.anchor = x;
          k += links.contains(other.With(c));
        }
        evidence -= std::log1p(-k / (n + 5));
      }
    }
  }
  return evidence;
}

TEST(ConstantRules, AskWhoeverSharesANeighbor) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    const auto graph =
        BuildSnapshotOrDie(RandomMultigraph({.parallel_rate = 0.3}, seed));
    const auto nodes = static_cast<NodeId>(graph->node_count());
    const std::set<Link> links = LinkSet(*graph);
    ConstantRules rules(*graph);
    int spoken_for = 0;
    for (NodeId anchor = 0; anchor < nodes; anchor += 2) {
      for (const Direction direction : {Direction::kOut, Direction::kIn}) {
        const EndQuestion question{anchor, RelationId(anchor / 2 % 4),
                                   direction};
        rules.Run(question);
        for (NodeId node = 0; node < nodes; ++node) {
          const double expected = BruteEvidence(
              links, nodes, graph->relation_count(), question, node);
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

}  // namespace
}  // namespace slice
