#include "trainer/methods/method_evaluation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

// Scores by a hash of the link.
class HashMethod : public TrainedMethod {
 public:
  void Score(std::span<const Link> links, std::span<const Link> /*made_from*/,
             std::span<float> scores) const override {
    for (size_t i = 0; i < links.size(); ++i) {
      const uint64_t hash = CombineHash(
          CombineHash(links[i].source, links[i].relation), links[i].target);
      scores[i] = static_cast<float>(hash % 1000) / 100;
    }
  }
};

// The calibration comes from valid: it does not change with the positives of
// test, all links that are neither of train nor of valid.
TEST(EvaluateMethodTest, TestPositivesDoNotChangeTheCalibration) {
  constexpr NodeId kNodes = 40;
  const auto graph = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = kNodes, .links = 220, .node_types = 1}, 1));
  std::vector<LabelledLink> valid, test;
  for (NodeId source = 0; source < kNodes; ++source) {
    for (NodeId target = 0; target < kNodes; ++target) {
      const Link link = {source, 1, target};
      if (graph->HasLink(link)) continue;
      const bool is_valid = (source + target) % 8 == 0;
      (is_valid ? valid : test).push_back({link, source % 2 == 0 || !is_valid});
    }
  }
  std::vector<LabelledLink> other_test = test;
  for (LabelledLink& row : other_test) row.positive = row.link.source == 0;
  const MethodInfo info;
  const HashMethod method;
  const auto calibrate = [&](std::span<const LabelledLink> rows) {
    MethodEvaluation evaluation;
    evaluation.info = &info;
    evaluation.method = &method;
    evaluation.snapshot = graph.get();
    evaluation.valid = valid;
    evaluation.test = rows;
    TrainingReport report;
    return *EvaluateMethod(evaluation, report);
  };
  const ScoreCalibration with = calibrate(test);
  const ScoreCalibration without = calibrate(other_test);
  EXPECT_EQ(with.offset, without.offset);
  for (int q = 0; q < kQuestions; ++q) {
    EXPECT_EQ(with.of_question[q].temperature,
              without.of_question[q].temperature);
    EXPECT_EQ(with.of_question[q].threshold, without.of_question[q].threshold);
  }
}

}  // namespace
}  // namespace slice
