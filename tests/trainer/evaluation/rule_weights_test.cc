#include "trainer/evaluation/rule_weights.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"
#include "tests/trainer/evaluation/function_scorer.h"
#include "trainer/statistics/rule_mining.h"

namespace slice {
namespace {

constexpr NodeId kNodes = 60;

// Relation 0 is planted: whatever two links of relation 1 join, relation 0
// links, but for the links held out for valid.
class RuleWeightsTest : public ::testing::Test {
 protected:
  RuleWeightsTest() {
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

  std::array<RuleWeights, 2> Choose(std::span<const LabelledLink> test,
                                    int threads = 1) const {
    ModelEvaluation evaluation;
    evaluation.threads = threads;
    evaluation.model = {graph_.get(), encoder_.get(), &scorer_};
    evaluation.valid = valid_;
    evaluation.test = test;
    const auto weights = ChooseRuleWeights(evaluation);
    EXPECT_TRUE(weights.ok()) << weights.status();
    return weights->weights;
  }

  std::shared_ptr<const GraphSnapshot> graph_;
  EncoderTables tables_;
  std::unique_ptr<LinkEncoder> encoder_;
  FunctionScorer scorer_{ByHash};
  std::vector<LabelledLink> valid_;
  std::vector<LabelledLink> all_others_;  // every link that train lacks
};

TEST_F(RuleWeightsTest, RulesThatHoldOnValidAreGivenAWeight) {
  for (const RuleWeights& weights : Choose({})) EXPECT_GT(weights.rules, 0);
}

TEST_F(RuleWeightsTest, ThreadsDoNotChangeTheWeights) {
  const auto expected = Choose({});
  const auto weights = Choose({}, 4);
  for (size_t i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(weights[i].rules, expected[i].rules);
    EXPECT_EQ(weights[i].constants, expected[i].constants);
  }
}

// The rivals of a valid question are the same whatever test holds.
TEST_F(RuleWeightsTest, TestPositivesDoNotChangeTheWeights) {
  const auto expected = Choose({});
  const auto weights = Choose(all_others_);
  for (size_t i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(weights[i].rules, expected[i].rules);
    EXPECT_EQ(weights[i].constants, expected[i].constants);
  }
}

TEST_F(RuleWeightsTest, AGraphWithoutRulesHasNoWeights) {
  encoder_ = std::make_unique<LinkEncoder>(LinkEncoderOptions(), 2, 1,
                                           EncoderTables());
  for (const RuleWeights& weights : Choose({})) EXPECT_EQ(weights.rules, 0);
}

}  // namespace
}  // namespace slice
