#include "client/bench/poisson_arrivals.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace slice {
namespace {

constexpr int kCount = 100'000;
constexpr double kRate = 250;

std::vector<double> Gaps(uint64_t seed) {
  const absl::Time start = absl::FromUnixSeconds(1'000'000'000);
  PoissonArrivals arrivals(kRate, seed, start);
  std::vector<double> gaps;
  absl::Time last = start;
  for (int i = 0; i < kCount; ++i) {
    const absl::Time next = arrivals.Next();
    gaps.push_back(absl::ToDoubleSeconds(next - last));
    last = next;
  }
  return gaps;
}

TEST(PoissonArrivalsTest, GapsAreExponential) {
  const std::vector<double> gaps = Gaps(1);
  double sum = 0, squares = 0;
  for (const double gap : gaps) {
    ASSERT_GE(gap, 0);
    sum += gap;
    squares += gap * gap;
  }
  const double mean = sum / kCount;
  // Five standard errors.
  EXPECT_NEAR(mean * kRate, 1, 5 / std::sqrt(kCount));
  EXPECT_NEAR(std::sqrt(squares / kCount - mean * mean) * kRate, 1, 0.03);
  // The share of gaps beyond t is exp(-rate * t).
  for (const double t : {0.5, 1.0, 2.0, 4.0}) {
    int beyond = 0;
    for (const double gap : gaps) beyond += gap * kRate > t;
    const double share = std::exp(-t);
    EXPECT_NEAR(beyond / static_cast<double>(kCount), share,
                5 * std::sqrt(share * (1 - share) / kCount))
        << t;
  }
}

TEST(PoissonArrivalsTest, GapsDoNotDependOnTheOneBefore) {
  const std::vector<double> gaps = Gaps(2);
  double product = 0;
  for (size_t i = 1; i < gaps.size(); ++i)
    product += (gaps[i] * kRate - 1) * (gaps[i - 1] * kRate - 1);
  EXPECT_NEAR(product / kCount, 0, 5 / std::sqrt(kCount));
}

TEST(PoissonArrivalsTest, TheSeedDecides) {
  EXPECT_EQ(Gaps(3), Gaps(3));
  EXPECT_NE(Gaps(3), Gaps(4));
}

}  // namespace
}  // namespace slice
