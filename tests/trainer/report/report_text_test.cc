#include "trainer/report/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/trainer/report/full_report.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(ReportTextTest, ShowsTheFiguresOfEveryPart) {
  const std::string text = ReportText(FullReport());
  for (const char* part :
       {"Published negatives", "98.77", "Adamic-Adar", "MRR", "By degree",
        "AUROC with pre-training 99.00 %, without 97.00 %",
        "tokens of a context", "no path seen", "nodes: 10,099"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(ReportTextTest, FiguresOfALeakyModelComeWithAWarning) {
  TrainingReport report = FullReport();
  EXPECT_THAT(ReportText(report), Not(HasSubstr("LEAKY")));
  report.leaky = true;
  EXPECT_THAT(ReportText(report), StartsWith("LEAKY: "));
}

TEST(ReportTextTest, IsEmptyForAnEmptyReport) {
  EXPECT_THAT(ReportText(TrainingReport()), IsEmpty());
}

}  // namespace
}  // namespace slice
