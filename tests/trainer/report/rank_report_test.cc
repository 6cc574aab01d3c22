#include "trainer/report/rank_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_format.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RankedMethod Method(const std::string& name, std::vector<double> ranks) {
  RankedMethod method{name, {}};
  for (const double rank : ranks) method.metrics.Add(rank);
  return method;
}

RankReport TableOf(RankedMethod model,
                   std::vector<RankedMethod> baselines = {}) {
  RankReport table;
  table.model = std::move(model);
  table.baselines = std::move(baselines);
  return table;
}

TEST(RankReportTest, HasARowPerMethod) {
  const RankReport table = TableOf(Method("slice", {1, 1, 2, 20}),
                                   {Method("popularity", {4, 4, 4, 40})});
  EXPECT_EQ(RankReportText(table),
            "filtered ranks                  links     MRR  Hits@1  Hits@3  "
            "Hits@5 Hits@10\n"
            "slice                               4   0.637   0.500   0.750   "
            "0.750   0.750\n"
            "popularity                          4   0.194   0.000   0.000   "
            "0.750   0.750\n");
}

TEST(RankReportTest, SaysWhichQuestionsWereAsked) {
  RankReport table = TableOf(Method("slice", {1}));
  table.sample = QuestionSample{250, 1364, 7};
  EXPECT_THAT(
      RankReportText(table),
      HasSubstr("\nA sample: 250 of 1364 questions, drawn with seed 7.\n"));
}

TEST(RankReportTest, TellsTheStandardErrorOfASample) {
  RankReport table = TableOf(Method("slice", {1, 2, 1, 4}));
  EXPECT_THAT(RankReportText(table), Not(HasSubstr("standard error")));
  table.sample = QuestionSample{2, 8, 7};  // of 16 links
  const RankingMetrics& metrics = table.model.metrics;
  EXPECT_THAT(RankReportText(table),
              HasSubstr(absl::StrFormat(
                  " The MRR of slice has a standard error of %.3f.\n",
                  metrics.ReciprocalRankError(16))));
  EXPECT_EQ(nlohmann::json::parse(RankReportJson(table))["slice"]["mrr_error"],
            metrics.ReciprocalRankError(16));
}

TEST(RankReportTest, NamesTheFiguresByWhichABaselineDoesBetter) {
  const RankReport table =
      TableOf(Method("slice", {1, 7}),
              {Method("popularity", {50, 60}), Method("3-paths", {2, 4})});
  const std::string text = RankReportText(table);
  EXPECT_THAT(text, HasSubstr("3-paths, which learns nothing, does better than "
                              "slice in Hits@5.\n"));
  EXPECT_THAT(text, Not(HasSubstr("popularity, which")));
  EXPECT_THAT(text, Not(HasSubstr("one order")));
}

TEST(RankReportTest, DifferencesThatTheTableDoesNotShowAreNone) {
  RankReport table = TableOf(Method("slice", {}), {Method("popularity", {})});
  for (int i = 0; i < 4000; ++i) table.model.metrics.Add(1);
  for (int i = 0; i < 4001; ++i) table.baselines[0].metrics.Add(1);
  table.model.metrics.Add(2);  // MRR 0.9999
  EXPECT_THAT(RankReportText(table), Not(HasSubstr("better")));
}

TEST(RankReportTest, ExplainsAConstantWhereAllQuestionsHaveOneAnswer) {
  RankReport table =
      TableOf(Method("slice", {6, 9}), {Method("popularity", {4, 4})});
  table.only_answer = "role::devel-lib";
  EXPECT_THAT(
      RankReportText(table),
      HasSubstr(
          "popularity, which learns nothing, does better than slice in "
          "MRR, Hits@5.\nPopularity ranks in one order for all questions, and "
          "here the answer to all of them is role::devel-lib: such an "
          "order finds a frequent answer every time, also for "
          "sources that should not get it.\n"));
}

TEST(RankReportTest, JsonHasTheFiguresAndTheSample) {
  RankReport table =
      TableOf(Method("slice", {2, 2}), {Method("3-paths", {1, 4})});
  const auto plain = nlohmann::json::parse(RankReportJson(table));
  EXPECT_EQ(plain.size(), 2);
  EXPECT_EQ(plain["slice"]["links"], 2);
  EXPECT_EQ(plain["slice"]["mrr"], 0.5);
  EXPECT_EQ(plain["3-paths"]["hits@1"], 0.5);
  table.sample = QuestionSample{2, 9, 1};
  const auto sampled = nlohmann::json::parse(RankReportJson(table));
  EXPECT_EQ(sampled["sample"],
            (nlohmann::json{{"questions", 2}, {"of", 9}, {"seed", 1}}));
}

TEST(RankReportTest, HasRowsForEachOfSeveralRelations) {
  RankReport table = TableOf(Method("slice", {1, 2, 4}));
  table.relations = {{"cites", Method("slice", {1}), {}}};
  EXPECT_THAT(RankReportText(table), Not(HasSubstr("relation cites")));
  table.relations.push_back(
      {"likes", Method("slice", {2, 4}), {Method("popularity", {3, 3})}});
  EXPECT_THAT(
      RankReportText(table),
      HasSubstr("relation likes\n"
                "slice                               2   0.375   0.000  "
                " 0.500   1.000   1.000\n"
                "popularity "));
  const auto json = nlohmann::json::parse(RankReportJson(table));
  EXPECT_EQ(json["slice"]["links"], 3);
  EXPECT_EQ(json["relations"]["cites"]["slice"]["mrr"], 1);
  EXPECT_EQ(json["relations"]["likes"]["slice"]["links"], 2);
  EXPECT_EQ(json["relations"]["likes"]["popularity"]["hits@3"], 1);
}

}  // namespace
}  // namespace slice
