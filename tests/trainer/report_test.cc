#include "trainer/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

BinaryMetrics Metrics(double auroc) {
  BinaryMetrics metrics;
  metrics.positives = 1200;
  metrics.negatives = 1300;
  metrics.auroc = auroc;
  metrics.average_precision = 0.95;
  metrics.threshold = 0.4;
  metrics.f1 = 0.9125;
  metrics.accuracy = 0.9;
  return metrics;
}

RankingMetrics Ranks(std::vector<double> ranks) {
  RankingMetrics metrics;
  for (const double rank : ranks) metrics.Add(rank);
  return metrics;
}

// Every part filled.
TrainingReport FullReport() {
  TrainingReport report;
  report.title = "slice on toys";
  report.created = "2024-01-02T03:04:05Z";
  report.bundle_id = "abc123";
  report.seed = 17;
  report.facts = {{"nodes", "10,099"}};
  report.notes = {"a remark"};
  report.overall = Metrics(0.98765);
  report.results = {{"Published negatives",
                     "as in the file",
                     {{"slice", Metrics(0.98765), true},
                      {"Adamic-Adar", Metrics(0.75), false}}}};
  report.roc = {{"slice", {{0, 0}, {0.1, 0.9}, {1, 1}}}};
  report.precision_recall = {{"slice", {{0.1, 1}, {1, 0.5}}}};
  report.temperature = 1.25;
  report.calibration = {{0, 0.5, 0.2, 0.25, 8}, {0.5, 1, 0.8, 0.75, 4}};
  report.scores = SplitHistogram{0, 1, {1, 9}, {8, 2}};
  report.structural_scores = SplitHistogram{-2, 2, {2, 8}, {7, 3}};
  report.context_sizes = CountHistogram{{0, 0, 3, 5}, {0, 0, 4}, 0, 0};
  report.distances = CountHistogram{{0, 2}, {0, 0, 6}, 1, 7};
  report.relations = {{"likes", Metrics(0.5)}, {"rare", Metrics(kUndefined)}};
  report.pretraining = PretrainingEffect{0.99, 0.97};
  report.losses = {{"train", {{1, 0.7}, {2, 0.5}}}};
  report.steps = {{"node2vec", 12.5}, {"fine-tuning", 200}};
  report.rankings = {
      {"held-out tags", "filtered", {{"slice", Ranks({1, 4}), true}}}};
  return report;
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(ReportTest, PageShowsEveryPart) {
  const std::string html = RenderReportHtml(FullReport());
  for (const char* part : {"slice on toys",
                           "abc123",
                           "10,099",
                           "a remark",
                           "98.77",
                           "Adamic-Adar",
                           "75.00",
                           "ROC",
                           "Precision and recall",
                           "Calibration",
                           "temperature 1.250",
                           "Scores of the model",
                           "structural part",
                           "Context sizes",
                           "Distance of the ends",
                           "likes",
                           "Pre-training",
                           "97.00",
                           "Training loss",
                           "node2vec",
                           "3 min 20 s",
                           "held-out tags",
                           "0.625"}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
}

TEST(ReportTest, PageNeedsNothingFromOutside) {
  const std::string html = RenderReportHtml(FullReport());
  for (const char* outside : {"http:", "https:", "src=", "href=", "<script",
                              "url(", "@import", "nan", "inf\""}) {
    EXPECT_THAT(html, Not(HasSubstr(outside)));
  }
}

TEST(ReportTest, PageIsBalanced) {
  const std::string html = RenderReportHtml(FullReport());
  for (const char* tag : {"div", "table", "tr", "td", "th", "svg", "h2", "ul",
                          "dl", "title", "p", "style"}) {
    const std::string name = tag;
    EXPECT_EQ(Count(html, "<" + name + ">") + Count(html, "<" + name + " "),
              Count(html, "</" + name + ">"))
        << name;
  }
}

TEST(ReportTest, NamesCannotBreakThePage) {
  TrainingReport report = FullReport();
  report.title = "<script>alert('x')</script>";
  report.relations[0].relation = "\"><img>";
  report.losses[0].name = "a & b";
  const std::string html = RenderReportHtml(report);
  EXPECT_THAT(html, Not(HasSubstr("<script>")));
  EXPECT_THAT(html, Not(HasSubstr("<img>")));
  EXPECT_THAT(html, HasSubstr("&quot;&gt;&lt;img&gt;"));
  EXPECT_THAT(html, HasSubstr("a &amp; b"));
}

TEST(ReportTest, EmptyPartsAreLeftOut) {
  TrainingReport report;
  report.title = "nothing yet";
  const std::string html = RenderReportHtml(report);
  EXPECT_THAT(html, HasSubstr("nothing yet"));
  EXPECT_THAT(html, Not(HasSubstr("<h2>")));
  EXPECT_THAT(html, Not(HasSubstr("<svg")));
}

TEST(ReportTest, JsonHoldsWhatScriptsRead) {
  const nlohmann::json json = ReportToJson(FullReport());
  EXPECT_DOUBLE_EQ(json["overall"]["auroc"], 0.98765);
  EXPECT_DOUBLE_EQ(json["overall"]["f1"], 0.9125);
  EXPECT_DOUBLE_EQ(json["relations"]["likes"]["auroc"], 0.5);
  EXPECT_DOUBLE_EQ(json["rankings"][0]["rows"][0]["metrics"]["mrr"], 0.625);
  EXPECT_DOUBLE_EQ(json["pretraining"]["auroc_without"], 0.97);
  EXPECT_EQ(json["distances"]["unreachable_negatives"], 7);
  EXPECT_EQ(json["facts"]["nodes"], "10,099");
  EXPECT_EQ(json["results"][0]["rows"][1]["method"], "Adamic-Adar");
  EXPECT_EQ(json["roc"][0]["points"][1], nlohmann::json({0.1, 0.9}));
}

TEST(ReportTest, MissingMeasuresAreNullInJson) {
  const nlohmann::json json =
      nlohmann::json::parse(ReportToJson(FullReport()).dump());
  EXPECT_TRUE(json["relations"]["rare"]["auroc"].is_null());
}

TEST(ReportTest, PartsNotMeasuredAreNotInJson) {
  const nlohmann::json json = ReportToJson(TrainingReport());
  EXPECT_FALSE(json.contains("pretraining"));
  EXPECT_FALSE(json.contains("scores"));
}

TEST(SplitHistogramTest, ProbabilitiesKeepTheUnitRange) {
  const std::vector<float> values = {0.0f, 0.3f, 0.99f, 1.0f};
  const std::vector<uint8_t> labels = {0, 0, 1, 1};
  const SplitHistogram histogram = MakeSplitHistogram(values, labels, 4);
  EXPECT_EQ(histogram.lower, 0);
  EXPECT_EQ(histogram.upper, 1);
  EXPECT_THAT(histogram.negatives, ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(histogram.positives, ElementsAre(0, 0, 0, 2));
}

TEST(SplitHistogramTest, LogitsSetTheirOwnRange) {
  const std::vector<float> values = {-4.0f, 0.0f, 4.0f};
  const std::vector<uint8_t> labels = {0, 1, 1};
  const SplitHistogram histogram = MakeSplitHistogram(values, labels, 2);
  EXPECT_EQ(histogram.lower, -4);
  EXPECT_EQ(histogram.upper, 4);
  EXPECT_THAT(histogram.negatives, ElementsAre(1, 0));
  EXPECT_THAT(histogram.positives, ElementsAre(0, 2));
}

TEST(SplitHistogramTest, EveryValueIsCounted) {
  const std::vector<float> same(10, 7.0f);
  const std::vector<uint8_t> labels(10, 1);
  const SplitHistogram histogram = MakeSplitHistogram(same, labels, 5);
  EXPECT_EQ(std::accumulate(histogram.positives.begin(),
                            histogram.positives.end(), uint64_t{0}),
            10u);
}

}  // namespace
}  // namespace slice
