#include "graphstore/relation_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "graphstore/schema_fit.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"
#include "tests/testing/two_kinds_graph.h"

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
  EXPECT_TRUE(FitsSchema(*graph, graph->schema(),
                         ToyLink(*graph, "lonely", "tagged", "web::browser")));
  EXPECT_FALSE(FitsSchema(*graph, graph->schema(),
                          ToyLink(*graph, "curl", "tagged", "curl")));
  EXPECT_FALSE(FitsSchema(*graph, graph->schema(),
                          ToyLink(*graph, "web::browser", "depends", "curl")));
}

TEST(RelationSchemaTest, OtherSlotsDecideInAGraphOfOneType) {
  const auto graph = TwoKindsGraph();
  const RelationSchema& schema = graph->schema();
  EXPECT_FALSE(schema.typed());
  const NodeId person = 0, place = kPeople, lonely = kPeople + kPlaces;
  EXPECT_TRUE(
      FitsSchema(*graph, schema, {person, 0, person + 5}));  // no link yet
  EXPECT_FALSE(FitsSchema(*graph, schema, place, {0, Direction::kOut}));
  EXPECT_FALSE(FitsSchema(*graph, schema, {person, 1, person + 1}));
  EXPECT_TRUE(FitsSchema(*graph, schema, {person, 1, place + 5}));
  EXPECT_TRUE(FitsSchema(*graph, schema,
                         {lonely, 1, lonely}));  // nothing is known of it
  // place0 is a place of part_of (20 links) and of born_in (40).
  EXPECT_EQ(ShutOutBy(*graph, schema, place, {0, Direction::kOut}),
            (GraphSlot{1, Direction::kIn}));
  EXPECT_EQ(ShutOutBy(*graph, schema, person, {0, Direction::kOut}),
            std::nullopt);
}

TEST(RelationSchemaTest, EveryLinkOfTheGraphFits) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const GraphData data = RandomMultigraph(
        {.nodes = 30, .links = 90, .node_types = 1 + seed % 3}, seed);
    const auto graph = BuildSnapshotOrDie(data);
    for (const Link& link : data.links) {
      EXPECT_TRUE(FitsSchema(*graph, graph->schema(), link));
    }
  }
}

}  // namespace
}  // namespace slice
