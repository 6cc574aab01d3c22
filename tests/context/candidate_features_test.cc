#include "context/candidate_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

constexpr size_t kRank = 11;  // not a whole number of lanes
constexpr PairFeatureOptions kUnlimited = {1000000, 1000000, 1000000,
                                           16,      8,       /*walks=*/true};

// Random factors; one row is zero.
GraphStatistics RandomFactors(size_t nodes) {
  Random random(5);
  GraphStatistics statistics;
  for (const char* name :
       {"spectral.out", "spectral.in", "spectral.symmetric"}) {
    std::vector<float> values(nodes * kRank);
    for (float& value : values) value = float(2 * random.Uniform() - 1);
    std::fill_n(values.begin() + 2 * kRank, kRank, 0.0f);
    statistics.Set(name, {{int64_t(nodes), int64_t(kRank)}, values});
  }
  for (const char* name :
       {"spectral.singular_values", "spectral.eigenvalues"}) {
    std::vector<float> values(kRank);
    for (float& value : values) value = float(random.Uniform());
    statistics.Set(name, {{int64_t(kRank)}, values});
  }
  for (const char* name : {"walks.inputs", "walks.outputs"}) {
    std::vector<float> values(nodes * kRank);
    for (float& value : values) value = float(2 * random.Uniform() - 1);
    statistics.Set(name, {{int64_t(nodes), int64_t(kRank)}, values});
  }
  return statistics;
}

// Rules with random confidences, for half of all types of paths.
PathRules RandomRules(size_t relation_count) {
  Random random(8);
  const auto last = static_cast<int32_t>(relation_count);
  std::vector<PathRule> rules;
  std::vector<PathRules::Confidences> confidences;
  const auto add = [&](RelationId relation, const PathType& path) {
    if (!IsRulePath(relation, path) || random.Uniform() < 0.5) return;
    rules.push_back({relation, path});
    for (auto& known : confidences.emplace_back()) {
      for (float& confidence : known) confidence = float(random.Uniform());
    }
  };
  for (RelationId relation = 0; relation < 2; ++relation) {
    for (int32_t a = -last; a <= last; ++a) {
      for (int32_t b = -last; b <= last; ++b) {
        for (int32_t c = -last; c <= last; ++c) {
          if (a != 0 && (b != 0 || c == 0)) add(relation, {a, b, c});
        }
      }
    }
  }
  return PathRules(std::move(rules), std::move(confidences));
}

// A scaling learned from the features of a few links.
FeatureScaling SomeScaling(const PairFeatures& features,
                           const GraphSnapshot& graph,
                           const PairFeatureTables& tables) {
  const size_t count = features.names().size();
  std::vector<float> rows(100 * count);
  Random random(3);
  for (size_t i = 0; i < 100; ++i) {
    const Link link{random.Below(uint32_t(graph.node_count())), 0,
                    random.Below(uint32_t(graph.node_count()))};
    features.Compute(GraphView(graph), link, tables,
                     std::span(rows).subspan(i * count, count));
  }
  return FeatureScaling::Fit(rows, count);
}

void CompareWithPairFeatures(const RandomMultigraphOptions& options,
                             uint64_t seed, bool hide_pair) {
  const auto graph = BuildSnapshotOrDie(RandomMultigraph(options, seed));
  const size_t nodes = graph->node_count();
  const size_t relations = graph->relation_count();
  const GraphStatistics statistics = RandomFactors(nodes);
  const PairFeatures features(relations, graph->node_type_count(), kUnlimited);
  const auto make_tables = [&] {
    EncoderTables tables;
    tables.slots = SlotCompatibility::Build(*graph);
    tables.rules = RandomRules(relations);
    tables.spectral = *SpectralVectors::FromStatistics(statistics, nodes);
    tables.walks = *WalkVectors::FromStatistics(statistics, nodes);
    return tables;
  };
  EncoderTables tables = make_tables();
  tables.scaling = SomeScaling(features, *graph, tables.ForPairs());
  LinkEncoderOptions encoder_options;
  encoder_options.own_pair_links =
      hide_pair ? OwnPairLinks::kHide : OwnPairLinks::kReveal;
  const LinkEncoder encoder(encoder_options, relations,
                            graph->node_type_count(), tables);
  const PropagationGraph propagation(*graph);
  CandidateFeatures candidates(propagation, encoder);
  std::vector<float> expected(features.names().size());
  for (NodeId anchor = 0; anchor < nodes; anchor += 2) {
    const EndQuestion question{
        anchor, RelationId(anchor / 2 % 2),
        anchor % 4 == 0 ? Direction::kOut : Direction::kIn};
    // Every node once, in scrambled order.
    std::vector<NodeId> asked(nodes);
    for (NodeId i = 0; i < nodes; ++i) asked[i] = (i * 7 + anchor) % nodes;
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    std::reverse(asked.begin(), asked.end());
    candidates.Ask(question);
    std::vector<float> rows(asked.size() * expected.size());
    candidates.ComputeRows(asked, rows);
    for (size_t row = 0; row < asked.size(); ++row) {
      const NodeId node = asked[row];
      const Link link = question.With(node);
      features.Compute(encoder.QueryView(*graph, link), link, tables.ForPairs(),
                       expected);
      tables.scaling->Apply(expected);
      for (size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(rows[row * expected.size() + i], expected[i], 1e-4)
            << features.names()[i] << " of " << link.source << " "
            << link.relation << " " << link.target << ", seed " << seed;
      }
    }
  }
}

TEST(CandidateFeatures, EqualPairFeaturesOfEveryNodeWithThePairHidden) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    CompareWithPairFeatures({}, seed, /*hide_pair=*/true);
  }
}

TEST(CandidateFeatures, EqualPairFeaturesWithTheQueriedLinkHidden) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    CompareWithPairFeatures({.parallel_rate = 0.4}, seed, /*hide_pair=*/false);
  }
}

TEST(CandidateFeatures, EqualPairFeaturesWithManyRelationsAndOneType) {
  RandomMultigraphOptions options;
  options.relations = 20;
  options.node_types = 1;
  options.links = 400;
  CompareWithPairFeatures(options, 9, /*hide_pair=*/true);
}

// A link of the graph is hidden while its end is ranked: the score is that in a
// graph without the link.
TEST(CandidateFeatures, TheRuleScoreOfALinkDoesNotKnowIt) {
  const GraphData data = RandomMultigraph({}, 3);
  const auto graph = BuildSnapshotOrDie(data);
  const auto encoder_for = [](const GraphSnapshot& snapshot) {
    EncoderTables tables;
    tables.rules = RandomRules(snapshot.relation_count());
    return LinkEncoder({}, snapshot.relation_count(),
                       snapshot.node_type_count(), std::move(tables));
  };
  const LinkEncoder encoder = encoder_for(*graph);
  const PropagationGraph propagation(*graph);
  CandidateFeatures features(propagation, encoder);
  for (size_t i = 0; i < data.links.size(); i += 5) {
    const Link& link = data.links[i];
    const auto without = BuildSnapshotOrDie(
        RebuildWithout(data, [&](const Link& other) { return other == link; }));
    const LinkEncoder encoder_without = encoder_for(*without);
    const PropagationGraph propagation_without(*without);
    CandidateFeatures expected(propagation_without, encoder_without);
    for (const EndQuestion& question :
         {EndQuestion{link.source, link.relation, Direction::kOut},
          EndQuestion{link.target, link.relation, Direction::kIn}}) {
      const NodeId node =
          question.direction == Direction::kOut ? link.target : link.source;
      features.Ask(question);
      expected.Ask(question);
      EXPECT_NEAR(features.RuleScore(node, 0), expected.RuleScore(node, 0),
                  1e-5);
    }
  }
}

TEST(CandidateFeatures, DoNotDependOnThreads) {
  RandomMultigraphOptions options;
  options.nodes = 1000;
  options.links = 4000;
  const auto graph = BuildSnapshotOrDie(RandomMultigraph(options, 5));
  const GraphStatistics statistics = RandomFactors(graph->node_count());
  EncoderTables tables;
  tables.slots = SlotCompatibility::Build(*graph);
  tables.rules = RandomRules(graph->relation_count());
  tables.spectral =
      *SpectralVectors::FromStatistics(statistics, graph->node_count());
  tables.walks = *WalkVectors::FromStatistics(statistics, graph->node_count());
  const LinkEncoder encoder({}, graph->relation_count(),
                            graph->node_type_count(), std::move(tables));
  const PropagationGraph propagation(*graph);
  CandidateFeatures one(propagation, encoder);
  CandidateFeatures three(propagation, encoder, 3);
  std::vector<NodeId> nodes(graph->node_count());
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  for (const EndQuestion& question : {EndQuestion{0, 0, Direction::kOut},
                                      EndQuestion{7, 1, Direction::kIn}}) {
    one.Ask(question, /*with_constants=*/true);
    three.Ask(question, /*with_constants=*/true);
    std::vector<float> expected(nodes.size() * one.feature_count());
    std::vector<float> rows(expected.size());
    one.ComputeRows(nodes, expected);
    three.ComputeRows(nodes, rows);
    EXPECT_EQ(rows, expected);
    for (const NodeId node : nodes) {
      ASSERT_EQ(three.RuleScore(node, 1), one.RuleScore(node, 1));
    }
  }
}

}  // namespace
}  // namespace slice
