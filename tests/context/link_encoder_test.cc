#include "context/link_encoder.h"

#include <gtest/gtest.h>

#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

LinkEncoderOptions Options(OwnPairLinks own_pair_links, int contexts,
                           bool features) {
  LinkEncoderOptions options;
  options.own_pair_links = own_pair_links;
  options.contexts_per_link = contexts;
  options.use_pair_features = features;
  return options;
}

LinkEncoder MakeEncoder(const GraphSnapshot& graph, LinkEncoderOptions options,
                        EncoderTables tables = {}) {
  return LinkEncoder(std::move(options), graph.relation_count(),
                     graph.node_type_count(), std::move(tables));
}

TEST(LinkEncoder, HidesThePairTheLinkOrNothing) {
  const auto graph = ToySnapshot();
  const Link link = ToyLink(*graph, "curl", "recommends", "libssl3");
  const Link other = ToyLink(*graph, "curl", "depends", "libssl3");
  const GraphView strict = MakeEncoder(*graph, {}).QueryView(*graph, link);
  EXPECT_FALSE(strict.HasLink(link));
  EXPECT_FALSE(strict.HasLink(other));
  const GraphView reveal =
      MakeEncoder(*graph, Options(OwnPairLinks::kReveal, 1, true))
          .QueryView(*graph, link);
  EXPECT_FALSE(reveal.HasLink(link));
  EXPECT_TRUE(reveal.HasLink(other));
  const GraphView show =
      MakeEncoder(*graph, Options(OwnPairLinks::kShow, 1, true))
          .QueryView(*graph, link);
  EXPECT_TRUE(show.HasLink(link));
}

TEST(LinkEncoder, CutsEachContextWithItsSeed) {
  const auto graph = ToySnapshot();
  const Link link = ToyLink(*graph, "curl", "depends", "libcurl4");
  LinkEncoderOptions options;
  options.context.strategy = ContextStrategy::kRandomWalks;
  options.context.max_nodes = 4;
  options.contexts_per_link = 3;
  options.seed = 17;
  const LinkEncoder encoder = MakeEncoder(*graph, options);
  const EncodedLink encoded = encoder.Encode(*graph, link);
  const GraphView view = encoder.QueryView(*graph, link);
  ASSERT_EQ(encoded.contexts.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(encoded.contexts[i],
              ContextGenerator(options.context)
                  .Cut(view, link,
                       ContextSeed(17, "depends", "curl", "libcurl4", i)));
  }
}

TEST(LinkEncoder, GivesShortestPathContextsAsOftenAsAsked) {
  const auto graph = ToySnapshot();
  const Link link = ToyLink(*graph, "curl", "depends", "libcurl4");
  const EncodedLink encoded =
      MakeEncoder(*graph, Options(OwnPairLinks::kHide, 2, true))
          .Encode(*graph, link);
  ASSERT_EQ(encoded.contexts.size(), 2u);
  EXPECT_EQ(encoded.contexts[0], encoded.contexts[1]);
}

// Contexts along similar nodes would tell what the embeddings know of a link.
TEST(LinkEncoder, ReadsNoEmbeddingsWhereTheyWereLearnedFromTheLink) {
  const auto graph = BuildSnapshotOrDie(RandomMultigraph({.links = 300}, 5));
  LinkEncoderOptions options = Options(OwnPairLinks::kHide, 1, true);
  options.context.strategy = ContextStrategy::kCoherentPaths;
  options.context.beam_width = 1;
  const LinkEncoder plain = MakeEncoder(*graph, options);
  std::vector<float> table(4 * graph->node_count());
  Random random(6);
  for (float& value : table) value = static_cast<float>(random.Uniform() - 0.5);
  options.embeddings = {table, 4};
  const LinkEncoder encoder = MakeEncoder(*graph, options);
  int differ = 0;
  for (NodeId node = 0; node + 1 < graph->node_count(); ++node) {
    const Link link = {node, 0, node + 1};
    const GraphView view = encoder.QueryView(*graph, link);
    const EncodedLink with = encoder.Encode(view, link);
    const EncodedLink without = encoder.EncodeWithoutEmbeddings(view, link, {});
    EXPECT_TRUE(with.has_embeddings);
    EXPECT_FALSE(without.has_embeddings);
    EXPECT_EQ(without.contexts, plain.Encode(view, link).contexts);
    EXPECT_EQ(without.pair_features, with.pair_features);
    differ += without.contexts != with.contexts;
  }
  EXPECT_GT(differ, 5);
}

TEST(LinkEncoder, ScalesPairFeatures) {
  const auto graph = ToySnapshot();
  const LinkEncoder raw = MakeEncoder(*graph, {});
  std::vector<float> rows;
  for (const Link& link : ToyGraph().links) {
    const std::vector<float> row = raw.Encode(*graph, link).pair_features;
    EXPECT_EQ(row.size(), raw.pair_features().names().size());
    rows.insert(rows.end(), row.begin(), row.end());
  }
  const size_t count = raw.pair_features().names().size();
  const FeatureScaling scaling = FeatureScaling::Fit(rows, count);
  EncoderTables tables;
  tables.scaling = scaling;
  const LinkEncoder scaled = MakeEncoder(*graph, {}, tables);
  const Link link = ToyGraph().links.front();
  std::vector<float> expected(rows.begin(), rows.begin() + count);
  scaling.Apply(expected);
  EXPECT_EQ(scaled.Encode(*graph, link).pair_features, expected);
  EXPECT_NE(scaled.Encode(*graph, link).pair_features,
            raw.Encode(*graph, link).pair_features);
}

TEST(LinkEncoder, LeavesPairFeaturesOut) {
  const auto graph = ToySnapshot();
  const LinkEncoder encoder =
      MakeEncoder(*graph, Options(OwnPairLinks::kHide, 1, false));
  const EncodedLink encoded =
      encoder.Encode(*graph, ToyLink(*graph, "curl", "depends", "libcurl4"));
  EXPECT_TRUE(encoded.pair_features.empty());
  EXPECT_EQ(encoded.contexts.size(), 1u);
}

// Servers reuse the memory of links, also when the model changes.
TEST(LinkEncoder, NothingOfAnotherEncoderStays) {
  const auto graph = ToySnapshot();
  const auto nodes = static_cast<int64_t>(graph->node_count());
  const auto relations = static_cast<int64_t>(graph->relation_count());
  GraphStatistics statistics;
  statistics.Set("knowledge.nodes",
                 {{nodes, 2}, std::vector<float>(2 * size_t(nodes), 0.5f)});
  statistics.Set(
      "knowledge.relations",
      {{relations, 2}, std::vector<float>(2 * size_t(relations), 0.5f)});
  statistics.Set(
      "knowledge.terms",
      {{relations, 3}, std::vector<float>(3 * size_t(relations), 1.0f)});
  EncoderTables tables;
  tables.knowledge = *KnowledgeVectors::FromStatistics(
      statistics, graph->node_count(), graph->relation_count());
  const LinkEncoder knowing = MakeEncoder(*graph, {}, std::move(tables));
  const LinkEncoder plain = MakeEncoder(*graph, {});
  const Link link = ToyLink(*graph, "curl", "depends", "libcurl4");
  EncodedLink reused;
  knowing.Encode(*graph, link, reused);
  EXPECT_NE(reused.knowledge_logits[0], 0);
  plain.Encode(*graph, link, reused);
  const EncodedLink fresh = plain.Encode(*graph, link);
  EXPECT_EQ(reused.knowledge_logits, fresh.knowledge_logits);
  EXPECT_EQ(reused.pair_features, fresh.pair_features);
  EXPECT_EQ(reused.contexts, fresh.contexts);
}

}  // namespace
}  // namespace slice
