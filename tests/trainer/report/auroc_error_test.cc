#include "trainer/report/auroc_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace slice {
namespace {

// At an AUROC of one half the formula is the variance of the Mann-Whitney
// statistic under its null hypothesis, (m + n + 1) / (12 m n).
TEST(AurocErrorTest, StandardErrorAtChanceIsThatOfMannWhitney) {
  BinaryMetrics metrics;
  metrics.auroc = 0.5;
  metrics.positives = 30;
  metrics.negatives = 70;
  EXPECT_NEAR(AurocStandardError(metrics), std::sqrt(101.0 / (12.0 * 30 * 70)),
              1e-12);
}

// With exponential scores the formula is exact. Scores of links have three
// times the mean of those of non-links, so that AUROC is 3 / 4.
TEST(AurocErrorTest, IsTheDeviationOfAurocOverDraws) {
  constexpr int kLinks = 20, kNonLinks = 35, kDraws = 4000;
  std::mt19937_64 random(7);
  std::exponential_distribution<float> score(1);
  std::vector<uint8_t> labels(kLinks + kNonLinks, 0);
  std::fill_n(labels.begin(), kLinks, 1);
  double sum = 0, squares = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<float> scores;
    for (const uint8_t label : labels) {
      scores.push_back((label != 0 ? 3 : 1) * score(random));
    }
    const double auroc = Auroc(scores, labels);
    sum += auroc;
    squares += auroc * auroc;
  }
  const double mean = sum / kDraws;
  BinaryMetrics metrics;
  metrics.auroc = 0.75;
  metrics.positives = kLinks;
  metrics.negatives = kNonLinks;
  EXPECT_NEAR(mean, 0.75, 0.005);
  EXPECT_NEAR(AurocStandardError(metrics),
              std::sqrt(squares / kDraws - mean * mean), 0.003);
}

TEST(AurocErrorTest, WithoutNonLinksThereIsNoStandardError) {
  BinaryMetrics metrics;
  metrics.auroc = 0.9;
  metrics.positives = 10;
  EXPECT_TRUE(std::isnan(AurocStandardError(metrics)));
}

}  // namespace
}  // namespace slice
