#include "graphstore/relation_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;

TEST(RelationSchemaTest, CountsLinksSelfLoopsAndTypes) {
  const auto graph = ToySnapshot();
  const RelationSchema& schema = graph->schema();
  EXPECT_TRUE(schema.typed());
  const RelationId suggests = ToyRelation(*graph, "suggests");
  EXPECT_EQ(schema.links(suggests), 1u);
  EXPECT_EQ(schema.self_loops(suggests), 1u);
  const RelationId tagged = ToyRelation(*graph, "tagged");
  EXPECT_EQ(schema.self_loops(tagged), 0u);
  ASSERT_EQ(schema.types(tagged, Direction::kOut).size(), 1u);
  ASSERT_EQ(schema.types(tagged, Direction::kIn).size(), 1u);
  EXPECT_EQ(graph->TypeName(schema.types(tagged, Direction::kOut)[0]),
            "package");
  EXPECT_EQ(graph->TypeName(schema.types(tagged, Direction::kIn)[0]), "tag");
}

TEST(RelationSchemaTest, TypesDecideWhereThereAreSeveral) {
  const auto graph = ToySnapshot();
  // No link at all, but a package like the other sources.
  EXPECT_TRUE(graph->schema().Fits(
      ToyLink(*graph, "lonely", "tagged", "web::browser")));
  EXPECT_FALSE(graph->schema().Fits(ToyLink(*graph, "curl", "tagged", "curl")));
  EXPECT_FALSE(
      graph->schema().Fits(ToyLink(*graph, "web::browser", "depends", "curl")));
}

// Against a set of pairs (node, relation) gathered from the links.
TEST(RelationSchemaTest, SlotsDecideInAGraphOfOneType) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const GraphData data =
        RandomMultigraph({.nodes = 30, .links = 60, .node_types = 1}, seed);
    const auto graph = BuildSnapshotOrDie(data);
    std::set<std::pair<NodeId, RelationId>> sources, targets;
    std::set<RelationId> used;
    for (const Link& link : data.links) {
      sources.insert({link.source, link.relation});
      targets.insert({link.target, link.relation});
      used.insert(link.relation);
    }
    const RelationSchema& schema = graph->schema();
    EXPECT_FALSE(schema.typed());
    for (NodeId node = 0; node < graph->node_count(); ++node) {
      for (RelationId r = 0; r < graph->relation_count(); ++r) {
        const bool any = !used.contains(r);
        EXPECT_EQ(schema.Fits(node, r, Direction::kOut),
                  any || sources.contains({node, r}));
        EXPECT_EQ(schema.Fits(node, r, Direction::kIn),
                  any || targets.contains({node, r}));
      }
    }
  }
}

TEST(RelationSchemaTest, EveryLinkOfTheGraphFits) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const GraphData data =
        RandomMultigraph({.nodes = 30, .links = 90, .node_types = 3}, seed);
    const auto graph = BuildSnapshotOrDie(data);
    for (const Link& link : data.links) {
      EXPECT_TRUE(graph->schema().Fits(link));
    }
  }
}

}  // namespace
}  // namespace slice
