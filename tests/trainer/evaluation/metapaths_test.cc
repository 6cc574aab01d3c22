#include "trainer/evaluation/metapaths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "context/context_assembly.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;

ContextSubgraph ContextOf(const GraphSnapshot& graph, const Link& link,
                          std::vector<NodeId> between) {
  GraphView view(graph);
  view.HidePair(link.source, link.target);
  ContextSubgraph context;
  AssembleLinkContext(view, link, between, 6, context);
  return context;
}

TEST(MetapathNameTest, TypesNameTheStepsOfATypedGraph) {
  const auto graph = ToySnapshot();
  const Link link = ToyLink(*graph, "libcurl4", "tagged", "role::devel-lib");
  EXPECT_EQ(MetapathName(*graph, ContextOf(*graph, link,
                                           {ToyNode(*graph, "libcurl4-dev")})),
            "package - package - tag");
}

TEST(MetapathNameTest, RelationsNameTheStepsOfAnUntypedGraph) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"likes", "knows"};
  for (const char* key : {"a", "b", "c"}) {
    data.catalogue.nodes.push_back({key, key, 0});
  }
  data.links = {{0, 0, 1}, {2, 1, 1}};  // a likes b, c knows b
  const auto graph = BuildSnapshotOrDie(data);
  EXPECT_EQ(MetapathName(*graph, ContextOf(*graph, {0, 0, 2}, {1})),
            "likes> <knows");
}

TEST(MetapathNameTest, PathTokensAreWays) {
  const auto graph = ToySnapshot();
  ContextSubgraph context;
  context.link = ToyLink(*graph, "libcurl4", "tagged", "role::devel-lib");
  context.tokens.resize(4);
  context.tokens[0].node = context.link.source;
  context.tokens[1].node = context.link.target;
  for (int i = 2; i < 4; ++i) context.tokens[i].kind = TokenKind::kPath;
  context.tokens[2].path = {ToyNode(*graph, "web:team"),
                            ToyNode(*graph, "curl")};
  context.tokens[2].relations = {1, -1, 2};
  context.tokens[3].path = {ToyNode(*graph, "libcurl4-dev")};
  context.tokens[3].relations = {-1, 6, 0};
  EXPECT_EQ(MetapathName(*graph, context), "package - package - tag");
  context.tokens.pop_back();
  EXPECT_EQ(MetapathName(*graph, context), "package - team - package - tag");
}

TEST(MetapathNameTest, NoWayHasNoName) {
  const auto graph = ToySnapshot();
  const Link link = ToyLink(*graph, "curl", "depends", "lonely");
  EXPECT_EQ(MetapathName(*graph, ContextOf(*graph, link, {})), "");
}

TEST(MetapathTablesTest, CountLinksAndNonLinks) {
  const auto graph = ToySnapshot();
  const RelationId depends = ToyRelation(*graph, "depends");
  const RelationId tagged = ToyRelation(*graph, "tagged");
  const std::vector<Link> links = {{0, depends, 1}, {0, depends, 2},
                                   {0, depends, 3}, {1, depends, 2},
                                   {0, tagged, 4},  {1, tagged, 4}};
  const std::vector<uint8_t> labels = {1, 1, 0, 1, 0, 0};
  const std::vector<std::string> metapaths = {"x", "y", "y", "y", "x", ""};
  const std::vector<float> probabilities = {0.9f, 0.8f, 0.2f, 0.5f, 0, 0};
  const auto tables =
      MakeMetapathTables(*graph, links, labels, metapaths, probabilities);
  // A relation without links has nothing to show.
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].relation, "depends");
  EXPECT_EQ(tables[0].links, 3u);
  EXPECT_EQ(tables[0].non_links, 1u);
  ASSERT_EQ(tables[0].rows.size(), 2u);
  EXPECT_EQ(tables[0].rows[0].metapath, "y");
  EXPECT_EQ(tables[0].rows[0].links, 2u);
  EXPECT_EQ(tables[0].rows[0].non_links, 1u);
  EXPECT_NEAR(tables[0].rows[0].mean_probability, 0.5, 1e-6);
}

TEST(MetapathTablesTest, OnlyTheMostFrequentAreKept) {
  const auto graph = ToySnapshot();
  const std::vector<Link> links(6, Link{0, 0, 1});
  const std::vector<uint8_t> labels(6, 1);
  const std::vector<std::string> metapaths = {"c", "b", "b", "a", "a", "a"};
  const std::vector<float> probabilities(6, 0.5f);
  const auto tables = MakeMetapathTables(*graph, links, labels, metapaths,
                                         probabilities, {.rows = 2});
  ASSERT_EQ(tables.size(), 1u);
  std::vector<std::string> names;
  for (const MetapathRow& row : tables[0].rows) names.push_back(row.metapath);
  EXPECT_THAT(names, ElementsAre("a", "b"));
}

}  // namespace
}  // namespace slice
