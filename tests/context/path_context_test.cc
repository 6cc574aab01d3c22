#include "context/path_context.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "context/typed_path_search.h"
#include "tests/context/hidings.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

ContextSubgraph TypedContext(const GraphView& view, const Link& link,
                             const ContextOptions& options) {
  ContextSubgraph context;
  CutTypedPaths(view, link, options, context);
  return context;
}

TEST(CutTypedPaths, HasTheEndsAndATokenForEachType) {
  ContextOptions options;
  options.max_nodes = 5;
  ForEachHidingCase({}, 3, 6, [&](const HidingCase& test) {
    const ContextSubgraph context =
        TypedContext(test.View(), test.query, options);
    EXPECT_EQ(context,
              TypedContext(GraphView(*test.rebuilt), test.query, options));
    ASSERT_GE(context.tokens.size(), 2u);
    ASSERT_LE(context.tokens.size(), 7u);
    EXPECT_EQ(context.tokens[0].node, test.query.source);
    EXPECT_EQ(context.tokens[1].node, test.query.target);
    int nearest = test.query.source == test.query.target ? 0 : -1;
    for (size_t i = 2; i < context.tokens.size(); ++i) {
      const ContextToken& token = context.tokens[i];
      EXPECT_EQ(token.kind, TokenKind::kPath);
      const int length = static_cast<int>(token.path.size()) + 1;
      if (nearest < 0 || length < nearest) nearest = length;
    }
    EXPECT_EQ(context.distance, nearest);
  });
}

TEST(CutTypedPaths, CountsThePathsOfEachType) {
  ContextOptions options;
  TypedPathLimits limits;
  limits.types = static_cast<size_t>(options.max_nodes);
  TypedPathSearch search;
  ForEachHidingCase({}, 3, 7, [&](const HidingCase& test) {
    const std::vector<TypedPath>& paths =
        search.Find(test.View(), test.query, limits);
    const ContextSubgraph context =
        TypedContext(test.View(), test.query, options);
    ASSERT_EQ(context.tokens.size(), paths.size() + 2);
    EXPECT_EQ(context.tokens[0].path_count, 0u);
    EXPECT_EQ(context.tokens[1].path_count, 0u);
    for (size_t i = 0; i < paths.size(); ++i) {
      EXPECT_EQ(context.tokens[i + 2].path_count, std::lround(paths[i].count));
    }
  });
}

// Source 0 leads to 640 nodes x, each x to the same `middles` nodes y, each y
// to target 1: 640 * middles paths of one type. Each x has `leaves` more
// neighbours, whose ids are below those of the y.
GraphData LayeredGraph(NodeId leaves, NodeId middles) {
  constexpr NodeId kFirst = 640;
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"to"};
  const NodeId leaf = 2;
  const NodeId y = leaf + leaves;
  const NodeId x = y + middles;
  for (NodeId node = 0; node < x + kFirst; ++node) {
    data.catalogue.nodes.push_back({"n" + std::to_string(node), "", 0});
  }
  for (NodeId i = 0; i < kFirst; ++i) {
    data.links.push_back({0, 0, x + i});
    for (NodeId to = leaf; to < x; ++to) data.links.push_back({x + i, 0, to});
  }
  for (NodeId i = 0; i < middles; ++i) data.links.push_back({y + i, 0, 1});
  return data;
}

// The sample of 40 x and 64 arcs of each is exact here: of the 64 * 31 arcs of
// an x every 31st is taken, which is one leaf and a 31st of the y. The network
// reads the count as a logarithm, from which it cannot be recovered.
TEST(CutTypedPaths, CountsMorePathsThanTheFeatureCanTell) {
  constexpr NodeId kMiddles = 63 * 31;
  const auto graph = BuildSnapshotOrDie(LayeredGraph(30, kMiddles));
  const ContextSubgraph context =
      TypedContext(GraphView(*graph), {0, 0, 1}, ContextOptions());
  ASSERT_EQ(context.tokens.size(), 3u);
  const ContextToken& token = context.tokens[2];
  EXPECT_EQ(token.path_count, 640u * kMiddles);
  ASSERT_EQ(TokenFeatureNames()[5], "path_count");
  const double recovered = std::expm1(4 * double{token.features[5]});
  EXPECT_NE(std::llround(recovered), 640 * kMiddles);
}

}  // namespace
}  // namespace slice
