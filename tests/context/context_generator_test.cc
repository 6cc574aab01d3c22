#include "context/context_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

std::vector<std::string> Keys(const GraphSnapshot& graph,
                              const ContextSubgraph& context) {
  std::vector<std::string> keys;
  for (const ContextToken& token : context.tokens) {
    keys.push_back(graph.Key(token.node));
  }
  return keys;
}

using KeyList = std::vector<std::string>;

ContextSubgraph CutToy(const GraphSnapshot& graph, const Link& link,
                       const ContextOptions& options = {
                           .strategy = ContextStrategy::kShortestPaths}) {
  GraphView view(graph);
  view.HidePair(link.source, link.target);
  return ContextGenerator(options).Cut(view, link, 1);
}

TEST(ContextStrategy, HasNames) {
  for (const auto strategy : AllContextStrategies()) {
    const auto parsed = ParseContextStrategy(ContextStrategyName(strategy));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(*parsed, strategy);
  }
  const auto unknown = ParseContextStrategy("longest").status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      unknown.message(),
      "unknown context strategy 'longest': use one of paths, shortest, all, "
      "pattern, random, coherent, walks, khop");
}

TEST(ContextOptions, AreBounded) {
  EXPECT_TRUE(ContextOptions().Validate().ok());
  const auto refused = [](auto change) {
    ContextOptions options;
    change(options);
    const absl::Status status = options.Validate();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_EQ(refused([](ContextOptions& o) { o.max_nodes = 1; }),
            "context.max_nodes is 1; it must be from 2 to 64");
  EXPECT_EQ(refused([](ContextOptions& o) { o.max_nodes = 65; }),
            "context.max_nodes is 65; it must be from 2 to 64");
  refused([](ContextOptions& o) { o.max_hops = 0; });
  refused([](ContextOptions& o) { o.max_hops = 17; });
  refused([](ContextOptions& o) { o.max_degree = 0; });
  refused([](ContextOptions& o) { o.max_expanded_arcs = 0; });
  refused([](ContextOptions& o) { o.beam_width = 0; });
  EXPECT_EQ(refused([](ContextOptions& o) {
              o.strategy = ContextStrategy::kPatternPaths;
            }),
            "context.metapaths is empty: the strategy 'pattern' needs at least "
            "one metapath");
}

TEST(ContextSeed, DependsOnEveryPart) {
  const std::set<uint64_t> seeds = {
      ContextSeed(1, "r", "a", "b", 0), ContextSeed(2, "r", "a", "b", 0),
      ContextSeed(1, "s", "a", "b", 0), ContextSeed(1, "r", "b", "a", 0),
      ContextSeed(1, "r", "ab", "", 0), ContextSeed(1, "r", "a", "b", 1)};
  EXPECT_EQ(seeds.size(), 6u);
  EXPECT_EQ(ContextSeed(1, "r", "a", "b", 0), ContextSeed(1, "r", "a", "b", 0));
}

TEST(ShortestContext, OfAToyLinkHasTheNodesBetweenMostSpecificFirst) {
  const auto graph = ToySnapshot();
  const ContextSubgraph context =
      CutToy(*graph, ToyLink(*graph, "curl", "depends", "libcurl4"));
  // web:team is linked to curl and libcurl4 only; libssl3 to five nodes.
  EXPECT_EQ(Keys(*graph, context),
            (KeyList{"curl", "libcurl4", "web:team", "libssl3"}));
  EXPECT_EQ(context.distance, 2);
  EXPECT_FALSE(context.truncated);
  EXPECT_EQ(context.tokens[0].role, TokenRole::kSource);
  EXPECT_EQ(context.tokens[1].role, TokenRole::kTarget);
  EXPECT_EQ(context.tokens[2].role, TokenRole::kBetween);
  // curl maintained-by web:team, libcurl4 maintained-by web:team, curl
  // recommends and depends libssl3, libcurl4 depends libssl3, libssl3 enhances
  // libcurl4.
  EXPECT_EQ(context.edges.size(), 6u);
}

TEST(ShortestContext, DescribesTokensByTheFormulas) {
  const auto graph = ToySnapshot();
  const ContextSubgraph context =
      CutToy(*graph, ToyLink(*graph, "curl", "depends", "libcurl4"));
  const int32_t maintained_by =
      SignedRelation(ToyRelation(*graph, "maintained-by"), Direction::kOut);
  const ContextToken& team = context.tokens[2];
  EXPECT_FLOAT_EQ(team.features[0], std::log1p(2.0f) / 8);
  EXPECT_FLOAT_EQ(team.features[1], 1.0f / 6);
  EXPECT_FLOAT_EQ(team.features[2], 1.0f / 6);
  EXPECT_EQ(team.features[3], 0);
  EXPECT_EQ(team.features[4], 0);  // no depends at a team
  // The steps to curl and to libcurl4 both travel against maintained-by.
  EXPECT_EQ(team.relations, (std::array<int32_t, 3>{-maintained_by, 0, 0}));
  const ContextToken& curl = context.tokens[0];
  EXPECT_FLOAT_EQ(curl.features[1], 0);
  EXPECT_FLOAT_EQ(curl.features[2], 2.0f / 6);
  EXPECT_FLOAT_EQ(curl.features[4], std::log1p(1.0f) / 8);  // depends libssl3
  EXPECT_EQ(curl.relations, (std::array<int32_t, 3>{maintained_by, 0, 0}));
}

TEST(ShortestContext, GivesTheToyMetapath) {
  const auto graph = ToySnapshot();
  const ContextSubgraph context = CutToy(
      *graph, ToyLink(*graph, "libssl-dev", "tagged", "role::devel-lib"));
  const std::vector<MetapathStep> path = ShortestMetapath(context);
  KeyList keys;
  for (const MetapathStep& step : path) {
    keys.push_back(graph->Key(context.tokens[step.token].node));
  }
  EXPECT_EQ(keys, (KeyList{"libssl-dev", "libssl3", "libcurl4", "libcurl4-dev",
                           "role::devel-lib"}));
  EXPECT_EQ(context.distance, 4);
  const auto signed_relation = [&](const char* name, Direction direction) {
    return SignedRelation(ToyRelation(*graph, name), direction);
  };
  ASSERT_EQ(path.size(), 5u);
  EXPECT_EQ(path[0].signed_relation, 0);
  EXPECT_EQ(path[1].signed_relation,
            signed_relation("depends", Direction::kOut));
  EXPECT_EQ(path[3].signed_relation,
            signed_relation("depends", Direction::kIn));
  EXPECT_EQ(path[4].signed_relation,
            signed_relation("tagged", Direction::kOut));
}

TEST(ShortestContext, ShowsOtherPathsBesideAVisibleDirectLink) {
  const auto graph = ToySnapshot();
  const Link link = ToyLink(*graph, "curl", "recommends", "libssl3");
  GraphView view(*graph);
  view.HideLink(link);  // curl depends libssl3 stays
  const ContextSubgraph context =
      ContextGenerator({.strategy = ContextStrategy::kShortestPaths})
          .Cut(view, link, 1);
  EXPECT_EQ(context.distance, 1);
  EXPECT_EQ(Keys(*graph, context), (KeyList{"curl", "libssl3", "libcurl4"}));
  EXPECT_EQ(ShortestMetapath(context).size(), 2u);
}

TEST(ShortestContext, TakesNeighborsWhereNoPathIs) {
  const auto graph = ToySnapshot();
  const ContextSubgraph context =
      CutToy(*graph, ToyLink(*graph, "curl", "depends", "lonely"));
  EXPECT_EQ(context.distance, -1);
  EXPECT_EQ(Keys(*graph, context),
            (KeyList{"curl", "lonely", "web:team", "libcurl4"}));
  EXPECT_TRUE(ShortestMetapath(context).empty());
  EXPECT_EQ(context.tokens[1].features[3], 1);
  EXPECT_EQ(context.tokens[2].features[3], 1);
  EXPECT_EQ(context.tokens[2].features[2], 1);
}

TEST(ShortestContext, OfASelfLoopRepeatsTheNode) {
  const auto graph = ToySnapshot();
  const ContextSubgraph context =
      CutToy(*graph, ToyLink(*graph, "privoxy", "suggests", "privoxy"));
  EXPECT_EQ(Keys(*graph, context), (KeyList{"privoxy", "privoxy", "firefox"}));
  EXPECT_EQ(context.distance, 0);
  EXPECT_EQ(context.tokens[0].role, TokenRole::kSource);
  EXPECT_EQ(context.tokens[1].role, TokenRole::kTarget);
  EXPECT_EQ(context.tokens[0].features, context.tokens[1].features);
  ASSERT_EQ(context.edges.size(), 1u);  // the loop is hidden; enhances stays
  EXPECT_EQ(context.edges[0].source, 0);
  EXPECT_EQ(context.edges[0].target, 2);
}

TEST(ShortestContext, ShowsSelfLoopsOfItsNodes) {
  const auto graph = ToySnapshot();
  const ContextSubgraph context =
      CutToy(*graph, ToyLink(*graph, "privoxy", "depends", "lonely"));
  const uint16_t source = 0;
  const ContextEdge loop{source, source, ToyRelation(*graph, "suggests")};
  EXPECT_EQ(std::count(context.edges.begin(), context.edges.end(), loop), 1);
}

TEST(ShortestContext, SkipsAPathThatDoesNotFitWhole) {
  const auto graph = ToySnapshot();
  ContextOptions options;
  options.strategy = ContextStrategy::kShortestPaths;
  options.max_nodes = 4;  // three nodes lie between
  const ContextSubgraph context =
      CutToy(*graph, ToyLink(*graph, "libssl-dev", "tagged", "role::devel-lib"),
             options);
  EXPECT_LE(context.tokens.size(), 4u);
  EXPECT_EQ(context.distance, 4);
  EXPECT_TRUE(ShortestMetapath(context).empty());
}

TEST(WalkContext, DependsOnTheSeedAlone) {
  RandomMultigraphOptions graph_options;
  graph_options.nodes = 500;
  graph_options.links = 2000;
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph(graph_options, 3));
  const GraphView view(*snapshot);
  const ContextGenerator generator({.strategy = ContextStrategy::kRandomWalks});
  int different = 0;
  for (NodeId node = 0; node < 50; ++node) {
    const Link link{node, 0, node + 100};
    EXPECT_EQ(generator.Cut(view, link, 5), generator.Cut(view, link, 5));
    different += generator.Cut(view, link, 5) != generator.Cut(view, link, 6);
  }
  EXPECT_GT(different, 25);
}

TEST(WalkContext, PutsNodesMetFromBothEndsFirst) {
  const auto graph = ToySnapshot();
  ContextOptions options;
  options.strategy = ContextStrategy::kRandomWalks;
  options.max_hops = 1;  // one step: neighbours alone
  options.max_nodes = 64;
  const ContextSubgraph context =
      CutToy(*graph, ToyLink(*graph, "curl", "depends", "libcurl4"), options);
  const KeyList keys = Keys(*graph, context);
  ASSERT_EQ(keys.size(), 5u);
  EXPECT_EQ((std::set<std::string>{keys[2], keys[3]}),
            (std::set<std::string>{"libssl3", "web:team"}));
  EXPECT_EQ(keys[4], "libcurl4-dev");
}

TEST(CutAround, WalksFromTheNode) {
  RandomMultigraphOptions graph_options;
  graph_options.nodes = 200;
  graph_options.links = 800;
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph(graph_options, 3));
  const GraphView view(*snapshot);
  const ContextGenerator generator({.max_nodes = 6});
  size_t full = 0;
  for (NodeId node = 0; node < 200; ++node) {
    const ContextSubgraph context = generator.CutAround(view, node, 9);
    EXPECT_EQ(context, generator.CutAround(view, node, 9));
    EXPECT_EQ(context.link, (Link{node, 0, node}));
    EXPECT_EQ(context.distance, 0);
    ASSERT_GE(context.tokens.size(), 1u);
    ASSERT_LE(context.tokens.size(), 6u);
    EXPECT_EQ(context.tokens[0].node, node);
    std::set<NodeId> distinct;
    for (const ContextToken& token : context.tokens) {
      distinct.insert(token.node);
      EXPECT_EQ(token.role, TokenRole::kBetween);
      EXPECT_FLOAT_EQ(token.features[0],
                      std::log1p(view.NeighborCount(token.node)) / 8);
      EXPECT_EQ(token.features[1], 0);
      EXPECT_EQ(token.features[3], 0);
    }
    EXPECT_EQ(distinct.size(), context.tokens.size());
    full += context.tokens.size() == 6;
  }
  EXPECT_GT(full, 150u);
}

TEST(CutAround, DrawsATwoHopBeam) {
  RandomMultigraphOptions graph_options;
  graph_options.nodes = 200;
  graph_options.links = 800;
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph(graph_options, 3));
  const GraphView view(*snapshot);
  const ContextGenerator generator({.max_nodes = 12, .beam_width = 2});
  for (NodeId node = 0; node < 200; ++node) {
    const ContextSubgraph context =
        generator.CutAround(view, node, 9, NodeWalk::kTwoHopBeam);
    EXPECT_EQ(context,
              generator.CutAround(view, node, 9, NodeWalk::kTwoHopBeam));
    // At most the node, two neighbours and two neighbours of each of these.
    ASSERT_LE(context.tokens.size(), 7u);
    ASSERT_GE(context.tokens.size(),
              1 + std::min<size_t>(2, view.NeighborCount(node)));
    std::set<NodeId> near, distinct;
    for (const ContextToken& token : context.tokens) {
      distinct.insert(token.node);
      if (view.AreNeighbors(node, token.node)) near.insert(token.node);
    }
    EXPECT_EQ(distinct.size(), context.tokens.size());
    for (const NodeId other : distinct) {
      const bool by_near = std::any_of(
          near.begin(), near.end(),
          [&](NodeId neighbor) { return view.AreNeighbors(neighbor, other); });
      EXPECT_TRUE(other == node || near.contains(other) || by_near);
    }
  }
}

TEST(NodeWalk, HasNames) {
  EXPECT_EQ(*ParseNodeWalk("chain"), NodeWalk::kChain);
  EXPECT_EQ(*ParseNodeWalk("beam"), NodeWalk::kTwoHopBeam);
  EXPECT_EQ(ParseNodeWalk("dfs").status().message(),
            "unknown walk 'dfs': use chain or beam");
}

TEST(ContextGenerator, IsTheSameFromManyThreads) {
  RandomMultigraphOptions graph_options;
  graph_options.nodes = 300;
  graph_options.links = 1200;
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph(graph_options, 8));
  const GraphView view(*snapshot);
  const ContextGenerator generator({});
  const auto cut_all = [&] {
    std::vector<ContextSubgraph> contexts;
    for (NodeId node = 0; node < 200; ++node) {
      contexts.push_back(generator.Cut(view, {node, 0, node + 50}, node));
    }
    return contexts;
  };
  const std::vector<ContextSubgraph> expected = cut_all();
  std::vector<std::vector<ContextSubgraph>> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&] { result = cut_all(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, expected);
}

}  // namespace
}  // namespace slice
