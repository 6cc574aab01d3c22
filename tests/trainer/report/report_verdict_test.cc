#include "trainer/report/report_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/trainer/report/full_report.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

TEST(VerdictTest, SaysBothSentences) {
  EXPECT_EQ(Verdict(FullReport()),
            "Of a test link and a non-link, slice, context gives the link the "
            "higher score in 98.8 of 100 cases; behind it is Adamic-Adar, with "
            "75.0. Asked for the right node among all that fit, it puts it "
            "first in 50.0 of 100 questions and among the first ten in 100.0.");
}

TEST(VerdictTest, SaysWhereAnotherMethodIsAhead) {
  TrainingReport report = FullReport();
  report.results[0].rows[2].metrics.auroc = 0.999;
  EXPECT_THAT(Verdict(report), HasSubstr("; ahead of it is Adamic-Adar"));
}

// A difference within the intervals of both is none.
TEST(VerdictTest, DoesNotClaimWhatTheIntervalsDoNotShow) {
  TrainingReport report = FullReport();
  report.results[0].rows[2].metrics.auroc = 0.987;
  EXPECT_THAT(Verdict(report), HasSubstr("; level with it is Adamic-Adar"));
}

TEST(VerdictTest, WithoutRankingTheHarderNonLinksAreTold) {
  TrainingReport report = FullReport();
  report.rankings.clear();
  EXPECT_THAT(Verdict(report),
              HasSubstr("a target of the right type, it does so in 91.0."));
}

TEST(VerdictTest, NothingMeasuredIsNothingSaid) {
  EXPECT_EQ(Verdict(TrainingReport()), "");
  TrainingReport report = FullReport();
  report.results[0].rows[0].metrics.auroc = kNotMeasured;
  EXPECT_EQ(Verdict(report), "");
}

}  // namespace
}  // namespace slice
