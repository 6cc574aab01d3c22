#include "context/token_links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/context/hidings.h"

namespace slice {
namespace {

// Tokens of a random graph, hubs among them; a repeated end is kNoNode.
std::vector<NodeId> SomeNodes(uint64_t seed, size_t count, size_t node_count) {
  Random random(seed);
  std::set<NodeId> chosen = {0, 1};
  while (chosen.size() < count) {
    chosen.insert(random.Below(static_cast<uint32_t>(node_count)));
  }
  std::vector<NodeId> nodes(chosen.begin(), chosen.end());
  std::reverse(nodes.begin(), nodes.end());
  nodes[1] = kNoNode;
  return nodes;
}

class TokenLinksProperty : public testing::TestWithParam<Hiding> {};

TEST_P(TokenLinksProperty, AreTheVisibleLinksAmongTheNodes) {
  TokenLinks links;  // its memory is reused
  size_t compared = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    // With few tokens rows are searched, with many they are scanned.
    const size_t token_count = seed % 2 == 0 ? 4 : 40;
    const GraphData data = RandomMultigraph({.nodes = 60, .links = 600}, seed);
    const auto snapshot = BuildSnapshotOrDie(data);
    const Link query = data.links[seed];
    GraphView view(*snapshot);
    Hide(GetParam(), query, data, view);
    const auto nodes = SomeNodes(seed, token_count, snapshot->node_count());
    std::set<ContextEdge> expected;
    for (size_t a = 0; a < nodes.size(); ++a) {
      for (size_t b = 0; b < nodes.size(); ++b) {
        if (nodes[a] == kNoNode || nodes[b] == kNoNode) continue;
        for (size_t r = 0; r < snapshot->relation_count(); ++r) {
          const auto relation = static_cast<RelationId>(r);
          if (!view.HasLink({nodes[a], relation, nodes[b]})) continue;
          expected.insert(
              {static_cast<uint16_t>(a), static_cast<uint16_t>(b), relation});
        }
      }
    }
    links.Find(view, nodes);
    std::vector<ContextEdge> edges;
    links.CopyEdges(edges);
    EXPECT_EQ(edges,
              std::vector<ContextEdge>(expected.begin(), expected.end()));
    for (const ContextEdge& edge : edges) {
      if (edge.source == edge.target) continue;
      std::vector<int32_t> relations(20);
      relations.resize(
          links.CopyRelations(edge.source, edge.target, relations));
      std::vector<int32_t> of_pair;
      for (const Arc& arc :
           view.ArcsBetween(nodes[edge.source], nodes[edge.target])) {
        of_pair.push_back(SignedRelation(arc.relation, arc.direction));
      }
      EXPECT_EQ(relations, of_pair);
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

INSTANTIATE_TEST_SUITE_P(Hidings, TokenLinksProperty,
                         testing::ValuesIn(kHidings));

}  // namespace
}  // namespace slice
