#include "trainer/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "trainer/report/report_json.h"
#include "trainer/report/report_page.h"
#include "trainer/report/report_text.h"
#include "trainer/report/score_histogram.h"

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

RankingFigures Ranks(std::vector<double> ranks) {
  RankingMetrics metrics;
  for (const double rank : ranks) metrics.Add(rank);
  return MakeRankingFigures(metrics);
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
  report.results = {{"published",
                     "Published negatives",
                     "as in the file",
                     {{"context", "slice, context", Metrics(0.98765), true},
                      {"structural", "slice, structural", Metrics(0.97), true},
                      {"adamic_adar", "Adamic-Adar", Metrics(0.75), false}}},
                    {"typed",
                     "Type-matched negatives",
                     "",
                     {{"context", "slice, context", Metrics(0.91), true}}}};
  report.roc = {{"slice", {{0, 0}, {0.1, 0.9}, {1, 1}}}};
  report.precision_recall = {{"slice", {{0.1, 1}, {1, 0.5}}}};
  report.calibrations = {{"plausible",
                          "plausible among all pairs",
                          1.25,
                          0.4,
                          0.3,
                          0.1,
                          0.02,
                          {{0, 0.5, 0.2, 0.25, 8}, {0.5, 1, 0.8, 0.75, 4}}}};
  report.distributions = {
      {"Static: node2vec", "cosine", 0.25, {-2, 2, {2, 8}, {7, 3}}}};
  report.context_sizes = CountHistogram{{0, 0, 3, 5}, {0, 0, 4}, 0, 0};
  report.distances = CountHistogram{{0, 2}, {0, 0, 6}, 1, 7};
  report.groups = {
      {"relation",
       "Per relation",
       {{"likes", Metrics(0.5), Metrics(0.4), Metrics(0.3)},
        {"rare", Metrics(kUndefined), Metrics(0.4), Metrics(0.3)}}},
      {"degree",
       "By degree",
       {{"4-7", Metrics(0.61), Metrics(0.62), Metrics(0.63)}}}};
  report.metapaths = {{"likes", 10, 5, {{"user - item", 4, 1, 0.8125}}}};
  report.fidelity = {400, 7.5, 3, 0.01, 0.21, 0.02, 0.11};
  report.attention = {
      {"a -likes-> b", "a link", {"node a", "node b"}, {{0, 1, 0.5, 0.5}}}};
  report.pretraining = PretrainingEffect{0.99, 0.97};
  report.losses = {{"training", {{1, 0.7}, {2, 0.5}}}};
  report.steps = {{"node2vec", 12.5, 512}, {"fine-tuning", 200, 1024}};
  report.rankings = {{"held-out tags",
                      "filtered",
                      {{"context", "slice", Ranks({1, 4}), true}}}};
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
                           "Static: node2vec",
                           "share 25.0 %",
                           "structural AUROC",
                           "Error by degree",
                           "user - item",
                           "0.812",
                           "Fidelity",
                           "0.210",
                           "node b receives 0.500 from node a",
                           "Context sizes",
                           "Distance of the ends",
                           "likes",
                           "Pre-training",
                           "97.00",
                           "Loss: training",
                           "node2vec",
                           "3 min 20 s",
                           "1024 MiB",
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
                          "dl", "ol", "li", "title", "p", "style"}) {
    const std::string name = tag;
    EXPECT_EQ(Count(html, "<" + name + ">") + Count(html, "<" + name + " "),
              Count(html, "</" + name + ">"))
        << name;
  }
}

TEST(ReportTest, NamesCannotBreakThePage) {
  TrainingReport report = FullReport();
  report.title = "<script>alert('x')</script>";
  report.groups[0].rows[0].name = "\"><img>";
  report.attention[0].tokens[0] = "a & b";
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
  EXPECT_DOUBLE_EQ(json["typed"]["auroc"], 0.91);
  EXPECT_FALSE(json.contains("degree_matched"));
  EXPECT_DOUBLE_EQ(json["scorers"]["structural"]["published"]["auroc"], 0.97);
  EXPECT_DOUBLE_EQ(json["baselines"]["adamic_adar"]["published"]["auroc"],
                   0.75);
  EXPECT_DOUBLE_EQ(json["relations"]["likes"]["auroc"], 0.5);
  EXPECT_DOUBLE_EQ(json["relations"]["likes"]["typed"]["auroc"], 0.4);
  EXPECT_DOUBLE_EQ(json["splits"]["degree"]["4-7"]["structural"]["auroc"],
                   0.63);
  EXPECT_DOUBLE_EQ(json["mrr"], 0.625);
  EXPECT_DOUBLE_EQ(json["hits"]["1"], 0.5);
  EXPECT_DOUBLE_EQ(json["hits"]["10"], 1);
  EXPECT_DOUBLE_EQ(json["ranking"]["context"]["mrr"], 0.625);
  EXPECT_DOUBLE_EQ(json["pretraining"]["auroc_without"], 0.97);
  EXPECT_EQ(json["distances"]["unreachable_negatives"], 7);
  EXPECT_EQ(json["roc"][0]["points"][1], nlohmann::json({0.1, 0.9}));
}

TEST(ReportTest, ComesBackFromJson) {
  const std::string text = ReportToJson(FullReport()).dump();
  const auto read = ReportFromJson(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ReportToJson(*read).dump(), text);
  EXPECT_EQ(RenderReportHtml(*read), RenderReportHtml(FullReport()));
  EXPECT_TRUE(std::isnan(read->groups[0].rows[1].published.auroc));
}

TEST(ReportTest, OtherJsonIsRefused) {
  for (const char* text :
       {"", "[]", "{}", "{\"results\": 3}", "{\"results\": [{\"rows\": 1}]}"}) {
    EXPECT_EQ(ReportFromJson(text).status().code(), absl::StatusCode::kDataLoss)
        << text;
  }
}

TEST(ReportTest, MissingMeasuresAreNullInJson) {
  const nlohmann::json json =
      nlohmann::json::parse(ReportToJson(FullReport()).dump());
  EXPECT_TRUE(json["relations"]["rare"]["auroc"].is_null());
}

TEST(ReportTest, ShortcutsNeedWhatTheyName) {
  const nlohmann::json json = ReportToJson(TrainingReport());
  for (const char* name : {"overall", "typed", "mrr", "hits"}) {
    EXPECT_FALSE(json.contains(name)) << name;
  }
}

TEST(OverlapTest, IsTheSharedArea) {
  EXPECT_DOUBLE_EQ(Overlap({0, 1, {5, 5}, {0, 0}}), 0);
  EXPECT_DOUBLE_EQ(Overlap({0, 1, {4, 0}, {0, 9}}), 0);
  EXPECT_DOUBLE_EQ(Overlap({0, 1, {2, 2}, {7, 7}}), 1);
  EXPECT_DOUBLE_EQ(Overlap({0, 1, {3, 1}, {1, 1}}), 0.75);
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
