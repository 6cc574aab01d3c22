#include "trainer/report/report_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/trainer/report/full_report.h"
#include "trainer/report/report_page.h"

namespace slice {
namespace {

TEST(ReportJsonTest, HoldsWhatScriptsRead) {
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
  EXPECT_GT(json["ranking"]["context"]["mrr_error"], 0);
  EXPECT_DOUBLE_EQ(json["pretraining"]["auroc_without"], 0.97);
  EXPECT_EQ(json["distances"]["unreachable_negatives"], 7);
  EXPECT_EQ(json["roc"][0]["points"][1], nlohmann::json({0.1, 0.9}));
}

TEST(ReportJsonTest, ComesBackFromJson) {
  const std::string text = ReportToJson(FullReport()).dump();
  const auto read = ReportFromJson(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ReportToJson(*read).dump(), text);
  EXPECT_EQ(RenderReportHtml(*read), RenderReportHtml(FullReport()));
  EXPECT_TRUE(std::isnan(read->groups[0].rows[1].published.auroc));
}

TEST(ReportJsonTest, OtherJsonIsRefused) {
  for (const char* text :
       {"", "[]", "{}", "{\"results\": 3}", "{\"results\": [{\"rows\": 1}]}"}) {
    EXPECT_EQ(ReportFromJson(text).status().code(), absl::StatusCode::kDataLoss)
        << text;
  }
}

TEST(ReportJsonTest, MissingMeasuresAreNull) {
  const nlohmann::json json =
      nlohmann::json::parse(ReportToJson(FullReport()).dump());
  EXPECT_TRUE(json["relations"]["rare"]["auroc"].is_null());
}

TEST(ReportJsonTest, ShortcutsNeedWhatTheyName) {
  const nlohmann::json json = ReportToJson(TrainingReport());
  for (const char* name : {"overall", "typed", "mrr", "hits"}) {
    EXPECT_FALSE(json.contains(name)) << name;
  }
}

}  // namespace
}  // namespace slice
