#include "trainer/sweep_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SweepResult Result(const std::string& layers, double auroc) {
  SweepResult result{{{"layers", layers}}, {}};
  result.measure.plausible_auroc = result.measure.among_kind_auroc = auroc;
  result.measure.seconds = 12;
  return result;
}

TEST(SweepReportTest, NamesTheBestFlagsAndDrawsEachAxis) {
  const std::vector<SweepResult> results = {Result("2", 0.9), Result("1", 0.8)};
  EXPECT_THAT(SweepText(results), HasSubstr("best: --layers 2\n"));
  EXPECT_EQ(SweepToJson(results)["best"]["layers"], "2");
  const std::string html = RenderSweepHtml(results);
  EXPECT_THAT(html, HasSubstr("Sensitivity to layers"));
  EXPECT_THAT(html, HasSubstr("Cost of layers"));
}

TEST(SweepReportTest, SpellsFlagsWithHyphens) {
  SweepResult result = Result("2", 0.9);
  result.cell.emplace_back("learning_rate", "1e-3");
  EXPECT_THAT(SweepText({result}),
              HasSubstr("best: --layers 2 --learning-rate 1e-3\n"));
  EXPECT_EQ(SweepToJson({result})["best"]["learning_rate"], "1e-3");
}

TEST(SweepReportTest, NamesNoBestAmongEqualCells) {
  const std::vector<SweepResult> results = {Result("2", 0.9), Result("1", 0.9)};
  EXPECT_THAT(SweepText(results), HasSubstr("no cell is best"));
  EXPECT_THAT(SweepText(results), Not(HasSubstr("best: ")));
  EXPECT_TRUE(SweepToJson(results)["best"].is_null());
  EXPECT_THAT(RenderSweepHtml(results), HasSubstr("no cell is best"));
  EXPECT_THAT(RenderSweepHtml(results), Not(HasSubstr("class=\"ours\"")));
}

TEST(SweepReportTest, NamesNoBestWhereTheFirstTwoAreEqual) {
  const std::vector<SweepResult> results = {Result("2", 0.9), Result("1", 0.9),
                                            Result("4", 0.8)};
  EXPECT_THAT(SweepText(results), HasSubstr("the first 2 have the same"));
  EXPECT_TRUE(SweepToJson(results)["best"].is_null());
  EXPECT_THAT(RenderSweepHtml(results), Not(HasSubstr("class=\"ours\"")));
}

}  // namespace
}  // namespace slice
