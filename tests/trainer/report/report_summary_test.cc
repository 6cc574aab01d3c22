#include "trainer/report/report_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "trainer/report/report_summary_text.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

MethodResult Row(const std::string& key, double auroc, double f1, bool model) {
  BinaryMetrics metrics;
  metrics.positives = metrics.negatives = 10;
  metrics.auroc = auroc;
  metrics.average_precision = auroc;
  metrics.f1 = f1;
  return {key, "the " + key, metrics, model};
}

// `gap` is the AUROC of context minus that of structural.
TrainingReport MakeRun(uint64_t seed, double auroc, double gap) {
  TrainingReport report;
  report.title = "slice on toys";
  report.seed = seed;
  report.results = {
      {"published",
       "Published negatives",
       "",
       {Row("context", auroc + gap, 0.9, true),
        Row("structural", auroc, 0.9, true), Row("popularity", 0.6, 0.5, false),
        Row("three_paths", 0.7, 0.5, false)}}};
  report.steps = {{"embed", 10, 100}, {"fine-tune", 20, 300}};
  return report;
}

TEST(SummarizeTest, DeviationIsThatOfASample) {
  const MeanDeviation result = Summarize(std::vector<double>{1, 2, 3, 4});
  EXPECT_EQ(result.count, 4u);
  EXPECT_DOUBLE_EQ(result.mean, 2.5);
  EXPECT_DOUBLE_EQ(result.deviation, std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(result.StandardError(), std::sqrt(5.0 / 12));
}

TEST(SummarizeTest, WhatWasNotMeasuredIsLeftOut) {
  const MeanDeviation one = Summarize(std::vector<double>{kNotMeasured, 3});
  EXPECT_EQ(one.count, 1u);
  EXPECT_EQ(one.mean, 3);
  EXPECT_TRUE(std::isnan(one.deviation));
  EXPECT_TRUE(std::isnan(Summarize({}).mean));
}

TEST(SummarizeReportsTest, RunsOfTwoPresetsAreRefused) {
  std::vector<TrainingReport> runs = {MakeRun(1, 0.8, 0.01),
                                      MakeRun(2, 0.8, 0.01)};
  runs[0].facts = {{"nodes", "5"}, {"preset", "fast"}};
  runs[1].facts = {{"nodes", "6"}, {"preset", "default"}};
  const auto summary = SummarizeReports(runs);
  ASSERT_FALSE(summary.ok());
  EXPECT_THAT(std::string(summary.status().message()),
              HasSubstr("differ in 'preset': 'fast' and 'default'"));
  runs[1].facts[1].value = "fast";
  EXPECT_TRUE(SummarizeReports(runs).ok());
}

TEST(SummarizeReportsTest, DifferencesAreTakenRunByRun) {
  // The runs differ by far more than the methods do.
  const std::vector<TrainingReport> runs = {MakeRun(1, 0.80, 0.010),
                                            MakeRun(2, 0.90, 0.012),
                                            MakeRun(3, 0.85, 0.011)};
  const auto summary = SummarizeReports(runs);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_THAT(summary->seeds, ElementsAre(1, 2, 3));
  EXPECT_NEAR(summary->tables[0].rows[1].auroc.mean, 0.85, 1e-12);
  EXPECT_NEAR(summary->tables[0].rows[1].auroc.deviation, 0.05, 1e-12);
  EXPECT_EQ(summary->seconds.mean, 30);
  EXPECT_EQ(summary->peak_mib.mean, 300);
  const PairedDifference& first = summary->differences[0];
  EXPECT_EQ(first.first, "context");
  EXPECT_EQ(first.second, "structural");
  EXPECT_EQ(first.measure, "auroc");
  EXPECT_NEAR(first.difference.mean, 0.011, 1e-12);
  EXPECT_NEAR(first.difference.deviation, 0.001, 1e-12);
  EXPECT_TRUE(first.IsClear());
  // F1 is the same in all.
  EXPECT_EQ(summary->differences[1].measure, "f1");
  EXPECT_FALSE(summary->differences[1].IsClear());
  // Scorers are compared with the best baseline only.
  EXPECT_EQ(summary->differences[2].second, "three_paths");
}

TEST(SummarizeReportsTest, ADifferenceWithinTwoStandardErrorsIsNotClear) {
  const std::vector<TrainingReport> runs = {
      MakeRun(1, 0.8, 0.010), MakeRun(2, 0.8, -0.008), MakeRun(3, 0.8, 0.003)};
  const auto summary = SummarizeReports(runs);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_FALSE(summary->differences[0].IsClear());
}

TEST(SummarizeReportsTest, OneRunHasNoClearDifference) {
  const std::vector<TrainingReport> runs = {MakeRun(1, 0.8, 0.1)};
  const auto summary = SummarizeReports(runs);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_FALSE(summary->differences[0].IsClear());
}

TEST(SummarizeReportsTest, ReportsOfOtherDataAreRefused) {
  std::vector<TrainingReport> runs = {MakeRun(1, 0.8, 0), MakeRun(2, 0.8, 0)};
  runs[1].title = "slice on others";
  const auto summary = SummarizeReports(runs);
  EXPECT_EQ(summary.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(summary.status().message()),
              HasSubstr("slice on others"));
  EXPECT_EQ(SummarizeReports({}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(SummarizeReportsTest, JsonHasASummaryInThePlaceOfEveryNumber) {
  const std::vector<TrainingReport> runs = {MakeRun(1, 0.8, 0.01),
                                            MakeRun(2, 0.9, 0.01)};
  const auto summary = SummarizeReports(runs);
  ASSERT_TRUE(summary.ok()) << summary.status();
  const nlohmann::json json = SummaryToJson(*summary, runs);
  EXPECT_NEAR(json["overall"]["auroc"]["mean"].get<double>(), 0.86, 1e-12);
  EXPECT_EQ(json["overall"]["auroc"]["count"], 2);
  EXPECT_NEAR(json["scorers"]["structural"]["published"]["auroc"]["deviation"]
                  .get<double>(),
              std::sqrt(0.005), 1e-12);
  EXPECT_EQ(json["differences"][0]["first"], "context");
  EXPECT_TRUE(json["differences"][0].contains("standard_error"));
  EXPECT_FALSE(json.contains("mrr"));
}

TEST(SummarizeReportsTest, TextAndPageShowMeansAndDifferences) {
  const std::vector<TrainingReport> runs = {MakeRun(1, 0.8, 0.01),
                                            MakeRun(2, 0.9, 0.012)};
  const auto summary = SummarizeReports(runs);
  ASSERT_TRUE(summary.ok()) << summary.status();
  for (const std::string& shown :
       {SummaryText(*summary), RenderSummaryHtml(*summary)}) {
    EXPECT_THAT(shown, HasSubstr("85.00 ± 7.07"));
    EXPECT_THAT(shown, HasSubstr("+1.10 (± 0.20)"));
    EXPECT_THAT(shown, HasSubstr("the three_paths"));
    EXPECT_THAT(shown, Not(HasSubstr("nan")));
  }
}

TEST(WithErrorTest, AddsSquares) {
  EXPECT_DOUBLE_EQ(WithError({3, 0.5, 0.03}, 0.04).deviation, 0.05);
  EXPECT_DOUBLE_EQ(WithError({1, 0.5, kNotMeasured}, 0.04).deviation, 0.04);
  EXPECT_DOUBLE_EQ(WithError({3, 0.5, 0.03}, kNotMeasured).deviation, 0.03);
  EXPECT_TRUE(
      std::isnan(WithError({1, 0.5, kNotMeasured}, kNotMeasured).deviation));
}

}  // namespace
}  // namespace slice
