#include "trainer/fit/run_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/trainer/fit_options_in.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// Counts of public data sets, and the seconds and MiB of whole runs on two
// threads (docs/presets.md; NELL-995 on a machine that was shared).
struct KnownRun {
  const char* preset;
  RunSize size;
  double seconds, mib;
};
const KnownRun kKnownRuns[] = {
    {"default", {10099, 126535, 22124, 22124, 193.8}, 182, 991},
    {"default", {33682, 119554, 51240, 51240, 422.8}, 206, 1384},
    {"default", {14505, 272115, 38001, 38001, 734.1}, 397, 1287},
    {"default", {9990, 282115, 49382, 49382, 962.5}, 433, 1414},
    {"default", {74432, 149678, 4535, 4535, 353.9}, 198, 1926},
    {"fast", {10099, 126535, 22124, 22124, 193.8}, 55, 922},
    {"fast", {14505, 272115, 38001, 38001, 734.1}, 104, 1261},
    {"fast", {9990, 282115, 49382, 49382, 962.5}, 132, 1392},
};

FitOptions Preset(const char* name) {
  FitOptions options = BriefFitOptions();
  EXPECT_TRUE(options.ApplyPreset(name).ok());
  options.threads = 2;
  return options;
}

TEST(RunEstimateTest, BoundsHoldForKnownRuns) {
  for (const KnownRun& run : kKnownRuns) {
    const RunEstimate estimate = EstimateRun(Preset(run.preset), run.size);
    EXPECT_LT(estimate.least_seconds, run.seconds) << run.preset << run.mib;
    EXPECT_GT(estimate.most_seconds, run.seconds) << run.preset << run.mib;
    EXPECT_LT(estimate.most_seconds, 4 * estimate.least_seconds);
    EXPECT_NEAR(estimate.memory_mib, run.mib, 0.3 * run.mib) << run.preset;
  }
}

TEST(RunEstimateTest, ASmallFileTakesLessThanAMinute) {
  const RunSize size = {.nodes = 30,
                        .train_links = 50,
                        .valid_rows = 14,
                        .test_rows = 14,
                        .links_at_ends = 8};
  EXPECT_LT(EstimateRun(Preset("default"), size).most_seconds, 60);
}

TEST(RunEstimateTest, MoreWorkTakesLonger) {
  const RunSize size = kKnownRuns[0].size;
  const RunEstimate usual = EstimateRun(Preset("default"), size);
  FitOptions longer = Preset("default");
  longer.fine_tune_epochs *= 2;
  EXPECT_GT(EstimateRun(longer, size).least_seconds, usual.least_seconds);
  FitOptions wider = Preset("default");
  wider.threads = 8;
  EXPECT_LT(EstimateRun(wider, size).most_seconds, usual.most_seconds);
  FitOptions knowing = Preset("default");
  knowing.knowledge = true;
  EXPECT_GT(EstimateRun(knowing, size).least_seconds, usual.least_seconds);
  EXPECT_GT(EstimateRun(knowing, size).memory_mib, usual.memory_mib);
  FitOptions ranking = Preset("default");
  ranking.hard_questions = 1000;
  EXPECT_GT(EstimateRun(ranking, size).least_seconds, usual.least_seconds);
  RunSize larger = size;
  larger.nodes *= 100;
  larger.train_links *= 100;
  EXPECT_GT(EstimateRun(Preset("default"), larger).memory_mib,
            2 * usual.memory_mib);
}

TEST(RunEstimateTest, SizesAreCounted) {
  const std::vector<Link> links = {{0, 0, 1}, {1, 0, 2}};
  const RunSize size = MeasureRun(4, links, 5, 6);
  EXPECT_EQ(size.nodes, 4);
  EXPECT_EQ(size.train_links, 2);
  EXPECT_EQ(size.links_at_ends, 3);
}

TEST(RunEstimateTest, EstimatesAreSaidInWholeMinutes) {
  EXPECT_EQ(DescribeEstimate({170, 365, 1229}, 2),
            "about 3 to 6 minutes and 1.2 GiB of memory on 2 threads");
  EXPECT_EQ(DescribeEstimate({50, 70, 512}, 1),
            "about 1 minute and 0.5 GiB of memory on 1 thread");
  EXPECT_EQ(DescribeEstimate({5, 30, 307}, 2),
            "less than a minute and 0.3 GiB of memory on 2 threads");
}

TEST(RunEstimateTest, LackOfMemoryIsSaid) {
  EXPECT_EQ(MemoryWarning({1, 2, 1000}, 1001), "");
  EXPECT_THAT(MemoryWarning({1, 2, 4096}, 2048),
              HasSubstr("4.0 GiB of memory, and 2.0 GiB are free"));
}

}  // namespace
}  // namespace slice
