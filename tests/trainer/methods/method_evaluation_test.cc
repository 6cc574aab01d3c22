#include "trainer/methods/method_evaluation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/testing/random_multigraph.h"
#include "tests/trainer/methods/hash_method.h"

namespace slice {
namespace {

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
  const HashMethod method(1000);
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
