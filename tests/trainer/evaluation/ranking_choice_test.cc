#include "trainer/evaluation/ranking_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"
#include "tests/trainer/evaluation/function_scorer.h"
#include "trainer/evaluation/ranking_trials.h"
#include "trainer/statistics/rule_mining.h"

namespace slice {
namespace {

using ::testing::StartsWith;

constexpr NodeId kNodes = 60;

// Relation 0 is planted: whatever two links of relation 1 join, relation 0
// links, but for the links held out for valid.
// Ranks candidates by one pair feature.
class FeatureScorer : public FunctionScorer {
 public:
  FeatureScorer(size_t feature, float sign)
      : FunctionScorer(ByHash), feature_(feature), sign_(sign) {}

  absl::StatusOr<std::vector<float>> ScoreForRanking(
      RelationId, std::span<const float> pair_features,
      size_t feature_count) const override {
    std::vector<float> scores;
    for (size_t i = feature_; i < pair_features.size(); i += feature_count) {
      scores.push_back(sign_ * pair_features[i]);
    }
    return scores;
  }

 private:
  const size_t feature_;
  const float sign_;
};

class RankingChoiceTest : public ::testing::Test {
 protected:
  RankingChoiceTest() {
    GraphData data;
    data.catalogue.node_types = {"node"};
    data.catalogue.relations = {"grandparent", "parent"};
    for (NodeId node = 0; node < kNodes; ++node) {
      const std::string key = "n" + std::to_string(node);
      data.catalogue.nodes.push_back({key, key, 0});
    }
    Random random(3);
    for (NodeId node = 0; node < kNodes; ++node) {
      const NodeId parent = (node + 7) % kNodes;
      data.links.push_back({node, 1, parent});
      const Link grandparent = {node, 0, (node + 14) % kNodes};
      if (node % 4 == 0) {
        valid_.push_back({grandparent, true});
      } else {
        data.links.push_back(grandparent);
      }
      data.links.push_back({node, 0, random.Below(kNodes)});
    }
    graph_ = BuildSnapshotOrDie(data);
    tables_.rules = MinePathRules(*graph_, {1, 0}, {}).back();
    encoder_ = std::make_unique<LinkEncoder>(LinkEncoderOptions(), 2, 1,
                                             std::move(tables_));
    for (NodeId source = 0; source < kNodes; ++source) {
      for (NodeId target = 0; target < kNodes; ++target) {
        const Link link = {source, 0, target};
        if (!graph_->HasLink(link)) all_others_.push_back({link, true});
      }
    }
  }

  RankingChoice ChooseWith(const RankingAids& aids,
                           std::span<const LabelledLink> test = {},
                           int threads = 1) const {
    ModelEvaluation evaluation;
    evaluation.threads = threads;
    evaluation.model = {graph_.get(), encoder_.get(), &scorer_};
    evaluation.valid = valid_;
    evaluation.test = test;
    evaluation.limits = limits_;
    const auto choice = ChooseRanking(evaluation, aids);
    EXPECT_TRUE(choice.ok()) << choice.status();
    return *choice;
  }
  std::array<RuleWeights, 2> Choose(std::span<const LabelledLink> test,
                                    int threads = 1) const {
    return ChooseWith({}, test, threads).rule_weights;
  }

  // The graph of KnowledgeVectors for which a link of relation 0 scores high if
  // it leads 14 nodes further, or at random.
  std::optional<KnowledgeVectors> Vectors(bool at_random) {
    constexpr size_t kFrequencies = 8;
    constexpr double kTurn = 2 * 3.14159265358979 / kNodes;
    Random random(5);
    const auto circle = [&](double steps) {
      std::vector<float> row;
      for (size_t f = 1; f <= kFrequencies; ++f) {
        const double angle = at_random ? 6.28 * random.Uniform()
                                       : steps * kTurn * static_cast<double>(f);
        row.push_back(static_cast<float>(std::cos(angle)));
        row.push_back(static_cast<float>(std::sin(angle)));
      }
      return row;
    };
    NamedArray nodes, relations;
    for (NodeId node = 0; node < kNodes; ++node) {
      std::ranges::copy(circle(node), std::back_inserter(nodes.values));
    }
    for (const double steps : {14.0, 7.0}) {
      std::ranges::copy(circle(steps), std::back_inserter(relations.values));
    }
    statistics_.Set("knowledge.nodes", std::move(nodes));
    statistics_.Set("knowledge.relations", std::move(relations));
    statistics_.Set("knowledge.terms", {{2, 3}, std::vector<float>(6)});
    return *KnowledgeVectors::FromStatistics(statistics_, kNodes, 2);
  }

  void ForgetRules() {
    encoder_ = std::make_unique<LinkEncoder>(LinkEncoderOptions(), 2, 1,
                                             EncoderTables());
  }

  size_t FeatureCalled(std::string_view name) const {
    const auto& names = encoder_->pair_features().names();
    return static_cast<size_t>(std::ranges::find(names, name) - names.begin());
  }

  std::shared_ptr<const GraphSnapshot> graph_;
  EncoderTables tables_;
  std::unique_ptr<LinkEncoder> encoder_;
  FunctionScorer scorer_{ByHash};
  std::vector<LabelledLink> valid_;
  EvaluationLimits limits_;
  GraphStatistics statistics_;
  std::vector<LabelledLink> all_others_;  // every link that train lacks
};

TEST_F(RankingChoiceTest, RulesThatHoldOnValidAreGivenAWeight) {
  for (const RuleWeights& weights : Choose({})) EXPECT_GT(weights.rules, 0);
}

TEST_F(RankingChoiceTest, ThreadsDoNotChangeTheWeights) {
  const auto expected = Choose({});
  const auto weights = Choose({}, 4);
  for (size_t i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(weights[i].rules, expected[i].rules);
    EXPECT_EQ(weights[i].constants, expected[i].constants);
  }
}

// The rivals of a valid question are the same whatever test holds.
TEST_F(RankingChoiceTest, TestPositivesDoNotChangeTheWeights) {
  const auto expected = Choose({});
  const auto weights = Choose(all_others_);
  for (size_t i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(weights[i].rules, expected[i].rules);
    EXPECT_EQ(weights[i].constants, expected[i].constants);
  }
}

TEST_F(RankingChoiceTest, AGraphWithoutRulesHasNoWeights) {
  ForgetRules();
  for (const RuleWeights& weights : Choose({})) EXPECT_EQ(weights.rules, 0);
}

TEST_F(RankingChoiceTest, WithoutAnyChoiceTheRankingCanBeMeasured) {
  ForgetRules();
  EXPECT_EQ(ChooseWith({}).asked, 0u);
  const RankingChoice choice = ChooseWith({.measure = true});
  EXPECT_EQ(choice.asked, 2 * valid_.size());
  EXPECT_GT(choice.mean_reciprocal_rank, 0);
  EXPECT_EQ(choice.rule_weights[0].rules, 0);
}

TEST_F(RankingChoiceTest, ANetworkThatRanksBetterIsUsed) {
  ForgetRules();
  const FeatureScorer network(FeatureCalled("common_neighbors.count"), 1);
  const RankingChoice choice = ChooseWith({&network});
  EXPECT_TRUE(choice.uses_network) << choice.network_reason;
  EXPECT_THAT(choice.network_reason,
              StartsWith("used, as its gain is clear: +"));
  EXPECT_GT(choice.mean_reciprocal_rank, 0.1);
}

TEST_F(RankingChoiceTest, ANetworkThatRanksWorseIsNotUsed) {
  ForgetRules();
  const FeatureScorer network(FeatureCalled("common_neighbors.count"), -1);
  const RankingChoice choice = ChooseWith({&network});
  EXPECT_FALSE(choice.uses_network);
  EXPECT_THAT(choice.network_reason,
              StartsWith("not used, as its gain is not clear: -"));
}

TEST_F(RankingChoiceTest, VectorsThatKnowTheAnswersAreUsed) {
  ForgetRules();
  const auto vectors = Vectors(/*at_random=*/false);
  const RankingChoice choice = ChooseWith({nullptr, &*vectors});
  ASSERT_EQ(choice.knowledge_weights.size(), 2u) << choice.knowledge_reason;
  EXPECT_GT(choice.knowledge_weights[0], 0);
  EXPECT_THAT(choice.knowledge_reason, StartsWith("used with weight"));
  EXPECT_GT(choice.mean_reciprocal_rank,
            ChooseWith({}).mean_reciprocal_rank + 0.1);
}

TEST_F(RankingChoiceTest, VectorsAtRandomAreNotUsed) {
  const auto vectors = Vectors(/*at_random=*/true);
  const RankingChoice choice = ChooseWith({nullptr, &*vectors});
  EXPECT_TRUE(choice.knowledge_weights.empty());
  EXPECT_THAT(choice.knowledge_reason, StartsWith("not used, as the gain"));
}

TEST_F(RankingChoiceTest, WithoutPositivesNothingIsUsed) {
  valid_.clear();
  const FeatureScorer network(FeatureCalled("common_neighbors.count"), 1);
  const auto vectors = Vectors(/*at_random=*/false);
  const RankingChoice choice = ChooseWith({&network, &*vectors});
  EXPECT_FALSE(choice.uses_network);
  EXPECT_TRUE(choice.knowledge_weights.empty());
  EXPECT_EQ(choice.network_reason, "not used, as valid has no questions");
  EXPECT_EQ(choice.knowledge_reason, choice.network_reason);
}

// All nodes are candidates of relation 0.
TEST_F(RankingChoiceTest, QuestionsWithTooManyCandidatesAreNotAsked) {
  const FeatureScorer network(FeatureCalled("common_neighbors.count"), 1);
  limits_.most_candidates = kNodes;
  EXPECT_GT(ChooseWith({&network}).asked, 0u);
  limits_.most_candidates = kNodes - 1;
  const RankingChoice choice = ChooseWith({&network});
  EXPECT_EQ(choice.asked, 0u);
  EXPECT_FALSE(choice.uses_network);
  EXPECT_EQ(choice.network_reason,
            "not used, as valid's questions have too many candidates");
  for (const RuleWeights& weights : choice.rule_weights) {
    EXPECT_EQ(weights.rules, 0);
  }
}

// Few tags can be the answer, however many persons there are.
TEST(AffordableQuestions, LeavesOutOnlyThoseWithTooManyCandidates) {
  constexpr NodeId kPersons = 40, kTags = 5;
  GraphData data;
  data.catalogue.node_types = {"person", "tag"};
  data.catalogue.relations = {"has"};
  std::vector<LabelledLink> valid;
  for (NodeId node = 0; node < kPersons + kTags; ++node) {
    const std::string key = "n" + std::to_string(node);
    const NodeTypeId type = node < kPersons ? 0 : 1;
    data.catalogue.nodes.push_back({key, key, type});
    if (type == 1) continue;
    data.links.push_back({node, 0, kPersons + node % kTags});
    valid.push_back({{node, 0, kPersons + (node + 1) % kTags}, true});
  }
  const auto graph = BuildSnapshotOrDie(data);
  const auto asked = [&](size_t most) {
    EvaluationLimits limits;
    limits.most_candidates = most;
    std::array<size_t, 2> by_direction = {};
    for (const auto& question : AffordableQuestions(*graph, valid, limits)) {
      ++by_direction[static_cast<size_t>(question.direction)];
    }
    return by_direction;
  };
  const auto all = asked(kPersons);
  EXPECT_GT(all[0], 0u);
  EXPECT_GT(all[1], 0u);
  EXPECT_EQ(asked(kTags), (std::array<size_t, 2>{all[0], 0}));
  EXPECT_EQ(asked(kTags - 1), (std::array<size_t, 2>{0, 0}));
}

// Links of test that nobody knows take first places from answers, and a network
// brings answers nearer from far away. The second must count more.
TEST(RankScoreTest, AFirstPlaceLostCostsLittle) {
  EXPECT_EQ(RankScore(1), 1);
  const double lost = RankScore(1) - RankScore(2);
  const double gained = RankScore(5) - RankScore(20);
  EXPECT_GT(gained, 2 * lost);
  EXPECT_LT(1.0 / 5 - 1.0 / 20, 1.0 - 1.0 / 2);
}

}  // namespace
}  // namespace slice
