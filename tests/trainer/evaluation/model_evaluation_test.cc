#include "trainer/evaluation/model_evaluation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"
#include "tests/trainer/evaluation/function_scorer.h"

namespace slice {
namespace {

constexpr NodeId kNodes = 40;

// All links that are not in the graph: the first 200 are valid rows, every
// other one positive; the rest are unused.
class ModelEvaluationTest : public ::testing::Test {
 protected:
  ModelEvaluationTest()
      : graph_(BuildSnapshotOrDie(RandomMultigraph(
            {.nodes = kNodes, .links = 220, .node_types = 1}, 1))),
        encoder_(Options(), graph_->relation_count(), 1, EncoderTables()),
        scorer_(ByHash) {
    std::vector<Link> others;
    for (NodeId source = 0; source < kNodes; ++source) {
      for (NodeId target = 0; target < kNodes; ++target) {
        for (RelationId r = 0; r < graph_->relation_count(); ++r) {
          const Link link = {source, r, target};
          if (!graph_->HasLink(link)) others.push_back(link);
        }
      }
    }
    Random random(5);
    std::shuffle(others.begin(), others.end(), random);
    for (size_t i = 0; i < others.size(); ++i) {
      if (i < 200) {
        valid_.push_back({others[i], i % 2 == 0});
      } else {
        unused_.push_back({others[i], true});
      }
    }
  }

  static LinkEncoderOptions Options() {
    LinkEncoderOptions options;
    options.context.strategy = ContextStrategy::kShortestPaths;
    options.use_pair_features = false;
    return options;
  }

  ModelEvaluation Evaluation(std::span<const LabelledLink> test) const {
    ModelEvaluation evaluation;
    evaluation.model = {graph_.get(), &encoder_, &scorer_};
    evaluation.valid = valid_;
    evaluation.test = test;
    return evaluation;
  }

  std::shared_ptr<const GraphSnapshot> graph_;
  LinkEncoder encoder_;
  FunctionScorer scorer_;
  std::vector<LabelledLink> valid_, unused_;
};

// A positive of test alone is no known link while anything is tuned on valid:
// the negatives made from valid, the temperatures and the thresholds stay.
TEST_F(ModelEvaluationTest, TestPositivesDoNotChangeWhatIsTunedOnValid) {
  const auto without = ScoreValid(Evaluation({}));
  ASSERT_TRUE(without.ok()) << without.status();
  const auto with = ScoreValid(Evaluation(unused_));
  ASSERT_TRUE(with.ok()) << with.status();
  EXPECT_GT(without->links.size(), valid_.size());
  EXPECT_EQ(with->links.links, without->links.links);
  EXPECT_EQ(with->links.dropped, without->links.dropped);
  const auto calibrations = CalibrateQuestions(*without);
  const auto calibrations_with = CalibrateQuestions(*with);
  for (int q = 0; q < kQuestions; ++q) {
    EXPECT_EQ(calibrations_with[q].temperature, calibrations[q].temperature);
    EXPECT_EQ(calibrations_with[q].threshold, calibrations[q].threshold);
  }
  ScoredSplit measured[] = {*without, *without};
  SetThresholds(&*with, measured[0]);
  SetThresholds(&*without, measured[1]);
  EXPECT_EQ(measured[0].methods[1].thresholds,
            measured[1].methods[1].thresholds);
}

// The figures on test leave the positives of both files out.
TEST_F(ModelEvaluationTest, ValidPositivesAreNoNegativesOfTest) {
  const std::vector<LabelledLink> test(unused_.begin(), unused_.begin() + 300);
  const ModelEvaluation evaluation = Evaluation(test);
  const KnownLinks known = evaluation.Known();
  for (const LabelledLink& row : valid_) {
    EXPECT_EQ(known.Contains(row.link), row.positive);
    EXPECT_EQ(evaluation.KnownToTuning().Contains(row.link), row.positive);
  }
  for (const LabelledLink& row : test) {
    EXPECT_TRUE(known.Contains(row.link));
    EXPECT_FALSE(evaluation.KnownToTuning().Contains(row.link));
  }
}

// Rows of which every third is a positive.
std::vector<LabelledLink> Rows(NodeId count) {
  std::vector<LabelledLink> rows;
  for (NodeId i = 0; i < count; ++i)
    rows.push_back({{i, 0, i + 1}, i % 3 == 0});
  return rows;
}

TEST(SampleRowsTest, KeepsOrderAndTheShareOfPositives) {
  const std::vector<LabelledLink> rows = Rows(3000);
  const std::vector<LabelledLink> sample = SampleRows(rows, 300);
  EXPECT_EQ(sample.size(), 300u);
  size_t positives = 0;
  for (size_t i = 0; i < sample.size(); ++i) {
    positives += sample[i].positive;
    if (i > 0) {
      EXPECT_LT(sample[i - 1].link.source, sample[i].link.source);
    }
    EXPECT_EQ(sample[i].positive, sample[i].link.source % 3 == 0);
  }
  EXPECT_EQ(positives, 100u);
}

TEST(SampleRowsTest, DependsOnTheLinksAlone) {
  std::vector<LabelledLink> rows = Rows(900);
  const auto links_of = [](const std::vector<LabelledLink>& some) {
    std::set<Link> links;
    for (const LabelledLink& row : some) links.insert(row.link);
    return links;
  };
  const std::set<Link> sample = links_of(SampleRows(rows, 100));
  std::reverse(rows.begin(), rows.end());
  EXPECT_EQ(links_of(SampleRows(rows, 100)), sample);
}

TEST(SampleRowsTest, TakesAllOfFewRowsAndLosesNoLabel) {
  EXPECT_EQ(SampleRows(Rows(10), 10).size(), 10u);
  EXPECT_EQ(SampleRows(Rows(10), EvaluationLimits::kAll).size(), 10u);
  std::vector<LabelledLink> rows = Rows(1000);
  for (LabelledLink& row : rows) row.positive = row.link.source == 500;
  const std::vector<LabelledLink> sample = SampleRows(rows, 10);
  EXPECT_EQ(std::count_if(sample.begin(), sample.end(),
                          [](const LabelledLink& row) { return row.positive; }),
            1);
}

}  // namespace
}  // namespace slice
