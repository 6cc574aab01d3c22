#include "client/bench/latency_histogram.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/random.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

// The value at rank ceil(q * count), in seconds.
double ExactQuantile(const std::vector<int64_t>& sorted, double q) {
  const auto rank = static_cast<size_t>(
      std::max(1.0, std::ceil(q * static_cast<double>(sorted.size()))));
  return static_cast<double>(sorted[rank - 1]) * 1e-9;
}

// Times spread over all powers of two up to an hour.
std::vector<int64_t> RandomTimes(size_t count, Random* random) {
  std::vector<int64_t> times;
  for (size_t i = 0; i < count; ++i) {
    times.push_back(static_cast<int64_t>(std::exp2(41.7 * random->Uniform())) -
                    1);
  }
  return times;
}

TEST(LatencyHistogramTest, QuantilesAreThoseOfTheSortedTimes) {
  Random random(7);
  for (const size_t count : {1, 2, 3, 10, 100, 1000, 20000}) {
    std::vector<int64_t> times = RandomTimes(count, &random);
    LatencyHistogram histogram;
    for (const int64_t time : times) histogram.Record(absl::Nanoseconds(time));
    std::sort(times.begin(), times.end());
    for (const double q :
         {0.0, 0.001, 0.1, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1.0}) {
      const double exact = ExactQuantile(times, q);
      EXPECT_NEAR(histogram.Quantile(q), exact,
                  exact * LatencyHistogram::kRelativeError + 1e-15)
          << count << " times, q = " << q;
    }
    EXPECT_EQ(histogram.count(), static_cast<int64_t>(count));
  }
}

TEST(LatencyHistogramTest, EveryPowerOfTwoKeepsTheRelativeError) {
  for (int bit = 0; bit < 42; ++bit) {
    for (const int64_t off : {-1, 0, 1}) {
      const int64_t time = (int64_t{1} << bit) + off;
      LatencyHistogram histogram;
      // The least and the greatest value are exact; this one is between them.
      histogram.Record(absl::ZeroDuration());
      histogram.Record(absl::Nanoseconds(time));
      histogram.Record(absl::Seconds(5000));
      const double seconds = static_cast<double>(time) * 1e-9;
      EXPECT_NEAR(histogram.Quantile(0.5), seconds,
                  seconds * LatencyHistogram::kRelativeError + 1e-15)
          << time;
    }
  }
}

TEST(LatencyHistogramTest, MeanAndExtremesAreExact) {
  LatencyHistogram histogram;
  histogram.Record(absl::Nanoseconds(1'000'001));
  histogram.Record(absl::Nanoseconds(3'000'003));
  EXPECT_DOUBLE_EQ(histogram.Mean(), 2'000'002e-9);
  EXPECT_DOUBLE_EQ(histogram.Max(), 3'000'003e-9);
  EXPECT_DOUBLE_EQ(histogram.Quantile(0), 1'000'001e-9);
  EXPECT_DOUBLE_EQ(histogram.Quantile(1), 3'000'003e-9);
}

TEST(LatencyHistogramTest, WithoutTimesThereIsNoNumber) {
  const LatencyHistogram histogram;
  EXPECT_TRUE(std::isnan(histogram.Quantile(0.5)));
  EXPECT_TRUE(std::isnan(histogram.Mean()));
  EXPECT_TRUE(std::isnan(histogram.Max()));
}

TEST(LatencyHistogramTest, TimesOutsideTheRangeAreCounted) {
  LatencyHistogram histogram;
  histogram.Record(absl::Seconds(-1));
  histogram.Record(absl::Hours(10));
  histogram.Record(absl::Hours(20));
  EXPECT_EQ(histogram.count(), 3);
  EXPECT_EQ(histogram.Quantile(0), 0);
  EXPECT_NEAR(histogram.Quantile(0.5), LatencyHistogram::kMaxSeconds,
              LatencyHistogram::kMaxSeconds / 100);
  EXPECT_EQ(histogram.Max(), 72000);
}

}  // namespace
}  // namespace slice
