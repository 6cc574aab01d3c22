#include "trainer/evaluation/knowledge_fusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"
#include "tests/trainer/evaluation/function_scorer.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr NodeId kNodes = 80;
constexpr NodeId kSteps = 14;
constexpr size_t kFrequencies = 8;
constexpr double kTurn = 2 * 3.14159265358979 / kNodes;

// The nodes stand on a circle, and relation 0 leads kSteps further. The scores
// of the network are noise.
class KnowledgeFusionTest : public ::testing::Test {
 protected:
  KnowledgeFusionTest() {
    GraphData data;
    data.catalogue.node_types = {"node"};
    data.catalogue.relations = {"further", "random"};
    Random random(3);
    for (NodeId node = 0; node < kNodes; ++node) {
      const std::string key = "n" + std::to_string(node);
      data.catalogue.nodes.push_back({key, key, 0});
      const Link link = {node, 0, (node + kSteps) % kNodes};
      if (node % 2 == 0) {
        valid_.push_back({link, true});
        valid_.push_back({{node, 0, (node + 40) % kNodes}, false});
      } else {
        data.links.push_back(link);
      }
      data.links.push_back({node, 0, (node + 2) % kNodes});
      data.links.push_back({node, 1, random.Below(kNodes)});
    }
    graph_ = BuildSnapshotOrDie(data);
    encoder_ = std::make_unique<LinkEncoder>(LinkEncoderOptions(), 2, 1,
                                             EncoderTables());
  }

  // Each node is a point on the circle, in several frequencies; relation 0
  // turns by kSteps. A link scores highest where it leads exactly so far.
  // `noise` makes all numbers random instead.
  KnowledgeFusion Fuse(bool noise, uint64_t seed = 9) {
    const KnowledgeVectors vectors = Vectors(noise, seed);
    ModelEvaluation evaluation;
    evaluation.model = {graph_.get(), encoder_.get(), &scorer_};
    evaluation.valid = valid_;
    const auto fusion = FuseKnowledge(evaluation, vectors, ranking_);
    EXPECT_TRUE(fusion.ok()) << fusion.status();
    return *fusion;
  }

  // Node `without` has no vector.
  KnowledgeVectors Vectors(bool noise, uint64_t seed = 9,
                           std::optional<NodeId> without = std::nullopt) {
    Random random(seed);
    const auto circle = [&](double steps) {
      std::vector<float> row;
      for (size_t f = 1; f <= kFrequencies; ++f) {
        const double angle = steps * kTurn * static_cast<double>(f);
        row.push_back(static_cast<float>(noise ? random.Uniform() - 0.5
                                               : std::cos(angle)));
        row.push_back(static_cast<float>(noise ? random.Uniform() - 0.5
                                               : std::sin(angle)));
      }
      return row;
    };
    NamedArray nodes, relations;
    for (NodeId node = 0; node < kNodes; ++node) {
      for (const float value : circle(node)) {
        nodes.values.push_back(node == without ? 0 : value);
      }
    }
    for (const double steps : {double{kSteps}, 0.0}) {
      for (const float value : circle(steps)) relations.values.push_back(value);
    }
    statistics_.Set("knowledge.nodes", std::move(nodes));
    statistics_.Set("knowledge.relations", std::move(relations));
    statistics_.Set("knowledge.terms", {{2, 3}, {5, 0, 0, 6, 0, 0}});
    const auto vectors =
        KnowledgeVectors::FromStatistics(statistics_, kNodes, 2);
    EXPECT_TRUE(vectors.ok() && vectors->has_value()) << vectors.status();
    return **vectors;
  }

  std::shared_ptr<const GraphSnapshot> graph_;
  std::unique_ptr<LinkEncoder> encoder_;
  FunctionScorer scorer_{ByHash};
  GraphStatistics statistics_;  // what the vectors read
  std::vector<float> ranking_;
  std::vector<LabelledLink> valid_;
};

TEST_F(KnowledgeFusionTest, VectorsThatKnowTheAnswersAreUsed) {
  const KnowledgeFusion fusion = Fuse(/*noise=*/false);
  EXPECT_TRUE(fusion.used) << fusion.reason;
  ASSERT_EQ(fusion.terms.values.size(), 6u);
  EXPECT_GT(fusion.terms.values[1], 0);  // plausible
  EXPECT_GT(fusion.terms.values[2], 0);  // among kind
  ASSERT_EQ(fusion.among_kind_and_ranking.values.size(), 4u);
  EXPECT_EQ(fusion.among_kind_and_ranking.values[1], 0);  // in rankings
  EXPECT_EQ(fusion.among_kind_and_ranking.values[3], 0);
  EXPECT_EQ(fusion.terms.values[0], 5);  // the centers are those of the vectors
  EXPECT_EQ(fusion.terms.values[3], 6);
  EXPECT_THAT(fusion.reason, StartsWith("plausible: used with weight"));
  EXPECT_THAT(fusion.reason, HasSubstr("; among kind: used with weight"));
}

// They decide nothing else.
TEST_F(KnowledgeFusionTest, TheWeightsOfRankingsAreThoseGiven) {
  const KnowledgeFusion without = Fuse(/*noise=*/true);
  ranking_ = {0.3f, 0};
  const KnowledgeFusion fusion = Fuse(/*noise=*/true);
  EXPECT_TRUE(fusion.used);
  EXPECT_EQ(fusion.among_kind_and_ranking.values[1], 0.3f);
  EXPECT_EQ(fusion.among_kind_and_ranking.values[3], 0);
  EXPECT_EQ(fusion.terms.values, without.terms.values);
}

// 10 rows of the mean of all rows are counted with those of a relation.
TEST_F(KnowledgeFusionTest, CentersAreMeansOverRowsWhoseEndsHaveVectors) {
  constexpr NodeId kWithout = 2;
  const KnowledgeVectors vectors = Vectors(/*noise=*/true, 9, kWithout);
  std::vector<LabelledLink> rows;
  double sums[2] = {}, counts[2] = {};
  for (NodeId node = 3; node < 33; ++node) {
    const auto relation = static_cast<RelationId>(node % 3 == 0);
    const Link link = {node, relation, node + 7};
    rows.push_back({link, node % 2 == 0});
    sums[relation] += vectors.Score(link);
    counts[relation] += 1;
    rows.push_back({{kWithout, relation, node}, true});
    rows.push_back({{node, relation, kWithout}, false});
  }
  const double mean = (sums[0] + sums[1]) / (counts[0] + counts[1]);
  const std::vector<float> centers = KnowledgeCenters(rows, vectors, 3);
  ASSERT_EQ(centers.size(), 3u);
  for (size_t r = 0; r < 2; ++r) {
    EXPECT_NEAR(centers[r], (sums[r] + 10 * mean) / (counts[r] + 10), 1e-5);
  }
  EXPECT_NEAR(centers[2], mean, 1e-5);  // no rows of its own
}

// A gain beyond its error comes by chance now and then.
TEST_F(KnowledgeFusionTest, NoiseIsHardlyEverUsed) {
  std::array<int, 2> used = {};  // by question
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const KnowledgeFusion fusion = Fuse(/*noise=*/true, seed);
    for (size_t q = 0; q < used.size(); ++q) {
      const bool is_used = fusion.terms.values[1 + q] != 0;
      used[q] += is_used ? 1 : 0;
      if (is_used) continue;
      EXPECT_EQ(fusion.terms.values[4 + q], 0);
      EXPECT_THAT(fusion.reason, HasSubstr("not used, as the gain"));
    }
  }
  EXPECT_LE(used[0], 40);
  EXPECT_LE(used[1], 40);
}

}  // namespace
}  // namespace slice
