#include "client/bench/bench_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/bench/bench_html.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

BenchLoad Load(int concurrency, double links_per_second, double seconds) {
  BenchLoad load;
  load.concurrency = concurrency;
  load.load.result.links_per_second = links_per_second;
  load.load.result.sent = load.load.result.answered = 1;
  load.load.result.latency.Record(absl::Seconds(seconds));
  return load;
}

TEST(BenchReportTest, TheBestLoadIsTheFastestWithinTheBound) {
  BenchReport report;
  report.options.latency_bound = absl::Milliseconds(20);
  report.loads = {Load(1, 100, 0.001), Load(8, 500, 0.01), Load(64, 900, 0.1)};
  ASSERT_NE(report.BestLoad(), nullptr);
  EXPECT_EQ(report.BestLoad()->concurrency, 8);
  EXPECT_EQ(BestLoadText(report),
            "The best load is 8 at once: the most links per second (500) with "
            "a p99 within 20ms.");
  const std::string html = BenchHtml(report);
  EXPECT_THAT(html, HasSubstr("The best load is 8 at once"));
  EXPECT_THAT(html, HasSubstr("<b>500</b>"));
}

TEST(BenchReportTest, ALoadWithFailuresIsNotTheBest) {
  BenchReport report;
  report.loads = {Load(1, 100, 0.001), Load(8, 500, 0.01)};
  report.loads[1].load.result.errors[absl::StatusCode::kUnavailable] = 1;
  ASSERT_NE(report.BestLoad(), nullptr);
  EXPECT_EQ(report.BestLoad()->concurrency, 1);
}

TEST(BenchReportTest, NoLoadMayBeWithinTheBound) {
  BenchReport report;
  report.options.latency_bound = absl::Microseconds(10);
  report.loads = {Load(1, 100, 0.001), Load(8, 500, 0.01)};
  EXPECT_EQ(report.BestLoad(), nullptr);
  EXPECT_THAT(BestLoadText(report), HasSubstr("No load has a p99 within 10us"));
  EXPECT_THAT(BenchHtml(report), HasSubstr("No load has a p99"));
}

TEST(BenchReportTest, OneLoadIsShownWhateverItsLatency) {
  BenchReport report;
  report.options.latency_bound = absl::Microseconds(10);
  report.loads = {Load(64, 900, 0.1)};
  const std::string html = BenchHtml(report);
  EXPECT_THAT(html, HasSubstr("<b>900</b>"));
  EXPECT_THAT(html, Not(HasSubstr("best load")));
}

}  // namespace
}  // namespace slice
