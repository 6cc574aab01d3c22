#include "trainer/methods/method_evaluation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "absl/strings/str_format.h"
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
    return EvaluateMethod(evaluation, report)->calibration;
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

// A relation without a non-link has no AUROC and counts for nothing.
TEST(EvaluateMethodTest, ReportsEachRelationAndTheirMean) {
  constexpr NodeId kNodes = 40;
  const auto graph = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = kNodes, .links = 220, .node_types = 1}, 1));
  std::vector<LabelledLink> rows;
  for (NodeId source = 0; source < kNodes; ++source) {
    for (const RelationId relation : {0, 1, 1, 2}) {
      const NodeId target = (source + 7 + relation) % kNodes;
      rows.push_back(
          {{source, relation, target}, relation == 2 || source % 3 == 0});
    }
  }
  const HashMethod method(1000);
  const auto auroc_of = [&](RelationId relation) {
    std::vector<Link> links;
    std::vector<uint8_t> labels;
    for (const LabelledLink& row : rows) {
      if (row.link.relation != relation) continue;
      links.push_back(row.link);
      labels.push_back(row.positive ? 1 : 0);
    }
    std::vector<float> scores(links.size());
    method.Score(links, links, scores);
    return Auroc(scores, labels);
  };
  const MethodInfo info;
  MethodEvaluation evaluation;
  evaluation.info = &info;
  evaluation.method = &method;
  evaluation.snapshot = graph.get();
  evaluation.valid = evaluation.test = rows;
  TrainingReport report;
  ASSERT_TRUE(EvaluateMethod(evaluation, report).ok());
  ASSERT_EQ(report.groups.size(), 1u);
  ASSERT_EQ(report.groups[0].rows.size(), 3u);
  EXPECT_EQ(report.groups[0].rows[0].name, graph->RelationName(2));
  EXPECT_EQ(report.groups[0].rows[1].name, graph->RelationName(1));
  EXPECT_DOUBLE_EQ(report.groups[0].rows[1].published.auroc, auroc_of(1));
  const auto fact = std::find_if(
      report.facts.begin(), report.facts.end(), [](const NamedValue& value) {
        return value.name == "mean AUROC of relations";
      });
  ASSERT_NE(fact, report.facts.end());
  EXPECT_EQ(fact->value,
            absl::StrFormat("%.4f, over 2", (auroc_of(0) + auroc_of(1)) / 2));
}

}  // namespace
}  // namespace slice
