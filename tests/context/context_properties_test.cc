// What every context must satisfy, checked on random multigraphs against plain
// lists of links.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "common/random.h"
#include "context/context_generator.h"
#include "tests/context/hidings.h"

namespace slice {
namespace {

std::set<Link> VisibleLinks(const HidingCase& test) {
  std::set<Link> links;
  for (const Link& link : test.data.links) {
    if (!IsHiddenBy(test.hiding, test.query, link)) links.insert(link);
  }
  return links;
}

std::set<NodeId> NeighborsIn(const std::set<Link>& links, NodeId node) {
  std::set<NodeId> neighbors;
  for (const Link& link : links) {
    if (link.source == node) neighbors.insert(link.target);
    if (link.target == node) neighbors.insert(link.source);
  }
  neighbors.erase(node);
  return neighbors;
}

// Hops over `links` among `nodes`, by relaxing until nothing changes.
int HopsWithin(const std::set<NodeId>& nodes, const std::set<Link>& links,
               NodeId from, NodeId to) {
  std::set<NodeId> reached = {from};
  for (int hops = 0; hops <= static_cast<int>(nodes.size()); ++hops) {
    if (reached.contains(to)) return hops;
    std::set<NodeId> next = reached;
    for (const Link& link : links) {
      if (!nodes.contains(link.source) || !nodes.contains(link.target))
        continue;
      if (reached.contains(link.source)) next.insert(link.target);
      if (reached.contains(link.target)) next.insert(link.source);
    }
    reached = next;
  }
  return -1;
}

std::set<NodeId> Nodes(const ContextSubgraph& context) {
  std::set<NodeId> nodes;
  for (const ContextToken& token : context.tokens) nodes.insert(token.node);
  return nodes;
}

// All metapaths of two and three steps over the first relations.
std::vector<Metapath> SomeMetapaths() {
  return {{kAnyRelation, {1, 1}},
          {kAnyRelation, {1, -2}},
          {2, {-1, 2}},
          {kAnyRelation, {-1, -1, 2}}};
}

// All strategies whose tokens are nodes. The other one, kTypedPaths, has
// path_context_test.cc.
std::vector<ContextStrategy> NodeStrategies() {
  std::vector<ContextStrategy> strategies;
  for (const ContextStrategy strategy : AllContextStrategies()) {
    if (strategy != ContextStrategy::kTypedPaths)
      strategies.push_back(strategy);
  }
  return strategies;
}

class ContextProperties : public testing::TestWithParam<ContextStrategy> {
 protected:
  ContextProperties() {
    Random random(17);
    for (int i = 0; i < 64 * 4; ++i) {
      table_.push_back(static_cast<float>(random.Uniform() - 0.5));
    }
  }

  ContextGenerator Generator(int max_nodes = 8, int max_degree = 500) const {
    ContextOptions options;
    options.strategy = GetParam();
    options.max_nodes = max_nodes;
    options.max_degree = max_degree;
    options.metapaths = SomeMetapaths();
    return ContextGenerator(options, {table_, 4});
  }

 private:
  std::vector<float> table_;  // [64, 4]
};

TEST_P(ContextProperties, EqualTheCutOnAGraphRebuiltWithoutTheHidden) {
  // With and without sampled hubs.
  for (const int max_degree : {500, 4}) {
    const ContextGenerator generator = Generator(8, max_degree);
    int truncated = 0;
    ForEachHidingCase({}, 20, 20, [&](const HidingCase& test) {
      const ContextSubgraph context =
          generator.Cut(test.View(), test.query, 11);
      EXPECT_EQ(context, generator.Cut(test.View(), test.query, 11));
      EXPECT_EQ(context,
                generator.Cut(GraphView(*test.rebuilt), test.query, 11))
          << test.hiding;
      truncated += context.truncated;
    });
    if (GetParam() == ContextStrategy::kShortestPaths) {
      EXPECT_EQ(truncated > 0, max_degree == 4);
    }
  }
}

TEST_P(ContextProperties, ShowExactlyTheVisibleLinksAmongTheirNodes) {
  const ContextGenerator generator = Generator();
  ForEachHidingCase({}, 10, 20, [&](const HidingCase& test) {
    const ContextSubgraph context = generator.Cut(test.View(), test.query, 3);
    std::set<Link> shown;
    for (const ContextEdge& edge : context.edges) {
      shown.insert({context.tokens[edge.source].node, edge.relation,
                    context.tokens[edge.target].node});
    }
    const std::set<NodeId> nodes = Nodes(context);
    std::set<Link> expected;
    for (const Link& link : VisibleLinks(test)) {
      if (nodes.contains(link.source) && nodes.contains(link.target)) {
        expected.insert(link);
      }
    }
    EXPECT_EQ(shown, expected) << test.hiding;
    EXPECT_EQ(context.edges.size(), expected.size());
    EXPECT_TRUE(std::is_sorted(context.edges.begin(), context.edges.end()));
  });
}

TEST_P(ContextProperties, BeginWithTheEndsAndStayBelowTheCap) {
  for (const int max_nodes : {2, 3, 5, 12, 64}) {
    const ContextGenerator generator = Generator(max_nodes);
    ForEachHidingCase({}, 3, 10, [&](const HidingCase& test) {
      const ContextSubgraph context = generator.Cut(test.View(), test.query, 3);
      ASSERT_GE(context.tokens.size(), 2u);
      EXPECT_LE(context.tokens.size(), static_cast<size_t>(max_nodes));
      EXPECT_EQ(context.link, test.query);
      EXPECT_EQ(context.tokens[0].node, test.query.source);
      EXPECT_EQ(context.tokens[1].node, test.query.target);
      const size_t repeats = test.query.source == test.query.target;
      EXPECT_EQ(Nodes(context).size(), context.tokens.size() - repeats);
    });
  }
}

TEST_P(ContextProperties, HaveTokenFeaturesByTheFormulas) {
  const ContextGenerator generator = Generator();
  ForEachHidingCase({}, 5, 10, [&](const HidingCase& test) {
    const ContextSubgraph context = generator.Cut(test.View(), test.query, 3);
    const std::set<Link> links = VisibleLinks(test);
    const std::set<NodeId> nodes = Nodes(context);
    for (const ContextToken& token : context.tokens) {
      const int to_source =
          HopsWithin(nodes, links, token.node, test.query.source);
      const int to_target =
          HopsWithin(nodes, links, token.node, test.query.target);
      size_t slot_links = 0;
      for (const Link& link : links) {
        if (link.relation != test.query.relation) continue;
        slot_links += (link.source == token.node) + (link.target == token.node);
      }
      const auto distance = [](int hops) {
        return hops < 0 ? 1.0 : std::min(1.0, hops / 6.0);
      };
      EXPECT_NEAR(token.features[0],
                  std::log1p(NeighborsIn(links, token.node).size()) / 8, 1e-6);
      EXPECT_NEAR(token.features[1], distance(to_source), 1e-6);
      EXPECT_NEAR(token.features[2], distance(to_target), 1e-6);
      EXPECT_EQ(token.features[3], to_source < 0 || to_target < 0);
      EXPECT_NEAR(token.features[4], std::log1p(slot_links) / 8, 1e-6);
    }
  });
}

TEST_P(ContextProperties, NameRelationsThatLeadTowardTheEnds) {
  const ContextGenerator generator = Generator();
  ForEachHidingCase({}, 5, 10, [&](const HidingCase& test) {
    const ContextSubgraph context = generator.Cut(test.View(), test.query, 3);
    const std::set<Link> links = VisibleLinks(test);
    const std::set<NodeId> nodes = Nodes(context);
    for (const ContextToken& token : context.tokens) {
      // Every relation of a token is that of an edge at the token.
      std::set<int32_t> at_token;
      for (const ContextEdge& edge : context.edges) {
        if (edge.source == edge.target) continue;
        const NodeId source = context.tokens[edge.source].node;
        const NodeId target = context.tokens[edge.target].node;
        if (source == token.node) {
          at_token.insert(SignedRelation(edge.relation, Direction::kOut));
        }
        if (target == token.node) {
          at_token.insert(SignedRelation(edge.relation, Direction::kIn));
        }
      }
      std::set<int32_t> named;
      for (const int32_t relation : token.relations) {
        if (relation == 0) continue;
        EXPECT_TRUE(at_token.contains(relation));
        EXPECT_TRUE(named.insert(relation).second);
      }
      const auto hops_to = [&](NodeId end) {
        return HopsWithin(nodes, links, token.node, end);
      };
      const bool leads_somewhere =
          hops_to(test.query.source) > 0 || hops_to(test.query.target) > 0;
      EXPECT_EQ(!named.empty(), leads_somewhere);
    }
  });
}

TEST_P(ContextProperties, ReportTheDistanceOfTheirNodes) {
  const ContextGenerator generator = Generator();
  ForEachHidingCase({}, 5, 20, [&](const HidingCase& test) {
    const ContextSubgraph context = generator.Cut(test.View(), test.query, 3);
    EXPECT_EQ(context.distance,
              HopsWithin(Nodes(context), VisibleLinks(test), test.query.source,
                         test.query.target));
  });
}

TEST_P(ContextProperties, DependOnTheSeedWhereTheySayThatTheyDo) {
  const ContextGenerator generator = Generator(6);
  int different = 0;
  ForEachHidingCase({}, 5, 20, [&](const HidingCase& test) {
    different += generator.Cut(test.View(), test.query, 1) !=
                 generator.Cut(test.View(), test.query, 2);
  });
  EXPECT_EQ(different > 50, UsesSeed(GetParam()));
  EXPECT_EQ(different == 0, !UsesSeed(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(AllStrategies, ContextProperties,
                         testing::ValuesIn(NodeStrategies()),
                         [](const auto& info) {
                           return std::string(ContextStrategyName(info.param));
                         });

// Hops from one node to all others; -1 for nodes that no path joins to it.
std::vector<int> HopsFrom(const GraphSnapshot& graph, NodeId from) {
  std::vector<int> hops(graph.node_count(), -1);
  std::vector<NodeId> reached = {from};
  hops[from] = 0;
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const NodeId next : graph.DistinctNeighbors(reached[i])) {
      if (hops[next] >= 0) continue;
      hops[next] = hops[reached[i]] + 1;
      reached.push_back(next);
    }
  }
  return hops;
}

TEST(ShortestContextProperties, DistanceIsTheShortestInTheWholeGraph) {
  const ContextGenerator generator(
      {.strategy = ContextStrategy::kShortestPaths});
  ForEachHidingCase({.nodes = 40, .links = 60, .hubs = 0, .hub_rate = 0}, 10,
                    20, [&](const HidingCase& test) {
                      const ContextSubgraph context =
                          generator.Cut(test.View(), test.query, 3);
                      std::set<NodeId> all;
                      for (NodeId node = 0; node < 40; ++node) all.insert(node);
                      const int hops =
                          HopsWithin(all, VisibleLinks(test), test.query.source,
                                     test.query.target);
                      EXPECT_EQ(context.distance, hops <= 6 ? hops : -1);
                    });
}

TEST(ShortestContextProperties, TakeTheLeastConnectedCommonNeighbors) {
  const ContextGenerator generator(
      {.strategy = ContextStrategy::kShortestPaths, .max_nodes = 5});
  int cases = 0;
  ForEachHidingCase({}, 10, 20, [&](const HidingCase& test) {
    const std::set<Link> links = VisibleLinks(test);
    if (test.query.source == test.query.target) return;
    const std::set<NodeId> of_source = NeighborsIn(links, test.query.source);
    const std::set<NodeId> of_target = NeighborsIn(links, test.query.target);
    std::vector<std::pair<size_t, NodeId>> common;
    for (const NodeId node : of_source) {
      if (!of_target.contains(node)) continue;
      common.emplace_back(NeighborsIn(links, node).size(), node);
    }
    if (common.empty()) return;
    ++cases;
    std::sort(common.begin(), common.end());
    common.resize(std::min<size_t>(common.size(), 3));
    const ContextSubgraph context = generator.Cut(test.View(), test.query, 3);
    ASSERT_EQ(context.tokens.size(), common.size() + 2);
    for (size_t i = 0; i < common.size(); ++i) {
      EXPECT_EQ(context.tokens[i + 2].node, common[i].second);
    }
  });
  EXPECT_GT(cases, 100);
}

TEST(ShortestContextProperties, SurviveHubsOfAHundredThousandLinks) {
  RandomMultigraphOptions options;
  options.nodes = 150000;
  options.links = 400000;
  options.hubs = 2;
  options.hub_rate = 0.6;
  const GraphData data = RandomMultigraph(options, 1);
  const auto snapshot = BuildSnapshotOrDie(data);
  ASSERT_GT(snapshot->DistinctNeighbors(0).size(), 50000u);
  const ContextGenerator generator(
      {.strategy = ContextStrategy::kShortestPaths});
  int far = 0, exact = 0;
  for (const NodeId hub : {0, 1}) {
    const std::vector<int> hops = HopsFrom(*snapshot, hub);
    for (NodeId node = 1000; node < 1200; ++node) {
      const Link link{hub, 0, node};
      const ContextSubgraph context =
          generator.Cut(GraphView(*snapshot), link, node);
      EXPECT_LE(context.tokens.size(), 12u);
      EXPECT_TRUE(context.distance == -1 || context.distance >= hops[node]);
      far += hops[node] != 1;
      exact += hops[node] != 1 && context.distance == hops[node];
    }
  }
  EXPECT_GT(far, 100);
  EXPECT_GE(exact, far * 95 / 100);  // the sample of a hub may miss a few
}

}  // namespace
}  // namespace slice
