#include "trainer/evaluation/impossible_links.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "graphstore/schema_fit.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"
#include "tests/testing/two_kinds_graph.h"
#include "tests/trainer/evaluation/function_scorer.h"

namespace slice {
namespace {

KnownLinks Known(const std::vector<LabelledLink>& rows) {
  const std::span<const LabelledLink> files[] = {rows};
  return KnownLinks(files);
}

TEST(ImpossibleLinksTest, SelfPairsAreOfRelationsWithoutSelfLoops) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const auto graph =
        BuildSnapshotOrDie(RandomMultigraph({.nodes = 80, .links = 120}, seed));
    const auto pairs = DrawSelfPairs(*graph, {}, 100, 1);
    for (const Link& pair : pairs) {
      EXPECT_EQ(pair.source, pair.target);
      EXPECT_EQ(graph->schema().self_loops(pair.relation), 0u);
    }
    EXPECT_EQ(std::set<Link>(pairs.begin(), pairs.end()).size(), pairs.size());
    EXPECT_EQ(pairs, DrawSelfPairs(*graph, {}, 100, 1));
  }
}

TEST(ImpossibleLinksTest, PairsOffSchemaDoNotFitAndAreNotKnown) {
  const auto graph = TwoKindsGraph();
  const auto pairs = DrawOffSchemaPairs(*graph, {}, 100, 1);
  ASSERT_EQ(pairs.size(), 100u);
  for (const Link& pair : pairs) {
    EXPECT_NE(pair.source, pair.target);
    EXPECT_FALSE(FitsSchema(*graph, graph->schema(), pair));
  }
  const KnownLinks known = Known({{pairs[0], true}});
  for (const Link& pair : DrawOffSchemaPairs(*graph, known, 100, 1)) {
    EXPECT_NE(pair, pairs[0]);
  }
}

// The scorer is sure of every pair; only the schema prior can say no.
TEST(ImpossibleLinksTest, CountsTheAnswersAsTheServerGivesThem) {
  const auto graph = ToySnapshot();
  LinkEncoderOptions options;
  options.use_pair_features = false;
  const LinkEncoder encoder(options, graph->relation_count(),
                            graph->node_type_count(), EncoderTables());
  const FunctionScorer scorer(
      [](const Link&, const std::set<NodeId>&) { return 3.0f; });
  const ScoringModel model = {graph.get(), &encoder, &scorer};
  OutputReading reading;
  auto sets = MeasureImpossibleLinks(model, reading, {}, 1);
  ASSERT_TRUE(sets.ok()) << sets.status();
  for (const ImpossibleLinks& set : *sets) {
    EXPECT_GT(set.pairs, 0u);
    EXPECT_EQ(set.called, set.pairs);
  }
  RelationReadings relations;
  relations.schema.assign(graph->relation_count(), {.self = -9});
  reading.relations = std::make_shared<const RelationReadings>(relations);
  sets = MeasureImpossibleLinks(model, reading, {}, 1);
  EXPECT_EQ((*sets)[0].called, 0u);
  EXPECT_EQ((*sets)[1].called, (*sets)[1].pairs);
}

}  // namespace
}  // namespace slice
