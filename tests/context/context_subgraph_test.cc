#include "context/context_subgraph.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace slice {
namespace {

ContextSubgraph WithEdges(size_t tokens, std::vector<ContextEdge> edges) {
  ContextSubgraph context;
  context.tokens.resize(tokens);
  for (size_t i = 0; i < tokens; ++i) {
    context.tokens[i].node = static_cast<NodeId>(100 + i);
  }
  context.edges = std::move(edges);
  return context;
}

std::vector<std::pair<int, int>> Steps(const ContextSubgraph& context) {
  std::vector<std::pair<int, int>> steps;
  for (const MetapathStep& step : ShortestMetapath(context)) {
    steps.emplace_back(step.token, step.signed_relation);
  }
  return steps;
}

using Path = std::vector<std::pair<int, int>>;

TEST(TokenFeatureNames, NameEveryFeature) {
  EXPECT_EQ(TokenFeatureNames().size(), kTokenFeatureCount);
  EXPECT_EQ(TokenFeatureNames()[0], "log_degree");
  EXPECT_EQ(TokenFeatureNames()[4], "slot_degree");
}

TEST(ShortestMetapath, SignsRelationsByTheWayTravelled) {
  // 0 --r2--> 2 <--r0-- 1
  EXPECT_EQ(Steps(WithEdges(3, {{0, 2, 2}, {1, 2, 0}})),
            (Path{{0, 0}, {2, 3}, {1, -1}}));
}

TEST(ShortestMetapath, TakesTheDirectLinkWhenItIsVisible) {
  EXPECT_EQ(Steps(WithEdges(3, {{0, 2, 0}, {1, 0, 4}, {2, 1, 0}})),
            (Path{{0, 0}, {1, -5}}));
}

TEST(ShortestMetapath, PrefersTheSmallestTokenAndForwardRelation) {
  EXPECT_EQ(
      Steps(WithEdges(
          4,
          {{0, 2, 3}, {0, 2, 5}, {0, 3, 0}, {2, 0, 1}, {2, 1, 7}, {3, 1, 0}})),
      (Path{{0, 0}, {2, 4}, {1, 8}}));
}

TEST(ShortestMetapath, IgnoresDetoursAndSelfLoops) {
  EXPECT_EQ(
      Steps(WithEdges(
          5,
          {{0, 0, 0}, {0, 4, 0}, {2, 3, 0}, {3, 1, 0}, {4, 1, 0}, {0, 2, 0}})),
      (Path{{0, 0}, {4, 1}, {1, 1}}));
}

TEST(ShortestMetapath, IsEmptyWithoutAWay) {
  EXPECT_TRUE(Steps(WithEdges(4, {{0, 2, 0}, {1, 3, 0}})).empty());
  EXPECT_TRUE(ShortestMetapath(ContextSubgraph()).empty());
}

TEST(ShortestMetapath, OfANodeToItselfIsTheSourceAlone) {
  ContextSubgraph context = WithEdges(3, {{0, 2, 0}});
  context.tokens[1].node = context.tokens[0].node;
  EXPECT_EQ(Steps(context), (Path{{0, 0}}));
}

}  // namespace
}  // namespace slice
