#include "trainer/platt_scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

struct Rows {
  std::vector<double> scores, shifts;
  std::vector<uint8_t> labels;

  PlattRows view() const { return {scores, shifts, labels}; }
};

Rows RandomRows(size_t count, double scale, double offset, uint64_t seed) {
  Random random(seed);
  Rows rows;
  for (size_t i = 0; i < count; ++i) {
    rows.scores.push_back(8 * random.Uniform() - 4);
    rows.shifts.push_back(2 * random.Uniform() - 1);
    const double log_odds =
        scale * rows.scores.back() + offset + rows.shifts.back();
    rows.labels.push_back(random.Uniform() < 1 / (1 + std::exp(-log_odds)));
  }
  return rows;
}

PlattPrior Prior(double scale_deviation, double offset_deviation) {
  PlattPrior prior;
  prior.scale_deviation = scale_deviation;
  prior.offset_deviation = offset_deviation;
  return prior;
}

double Objective(const Rows& rows, const PlattPrior& prior, double scale,
                 double offset) {
  double sum = PlattLoss(rows.view(), {scale, offset});
  const auto add = [&](double value, double mean, double deviation) {
    if (deviation > 0) sum += std::pow((value - mean) / deviation, 2) / 2;
  };
  add(scale, prior.mean.scale, prior.scale_deviation);
  add(offset, prior.mean.offset, prior.offset_deviation);
  return sum;
}

// An independent solver: one number at a time, by golden sections.
double Golden(double low, double high, const auto& loss) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  for (int i = 0; i < 100; ++i) {
    const double a = high - ratio * (high - low),
                 b = low + ratio * (high - low);
    (loss(a) < loss(b) ? high : low) = loss(a) < loss(b) ? b : a;
  }
  return (low + high) / 2;
}

PlattScaling Descend(const Rows& rows, const PlattPrior& prior) {
  PlattScaling at = prior.mean;
  for (int round = 0; round < 60; ++round) {
    if (prior.scale_deviation > 0) {
      at.scale = Golden(0.01, 20, [&](double scale) {
        return Objective(rows, prior, scale, at.offset);
      });
    }
    if (prior.offset_deviation > 0) {
      at.offset = Golden(-20, 20, [&](double offset) {
        return Objective(rows, prior, at.scale, offset);
      });
    }
  }
  return at;
}

TEST(PlattScalingTest, AgreesWithAnIndependentSolver) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const Rows rows = RandomRows(30 + 40 * seed, 0.5 + 0.3 * seed, 0.7, seed);
    for (const PlattPrior& prior :
         {Prior(1, 3), Prior(0.1, 0.3), Prior(0, 1), Prior(0.5, 0)}) {
      const PlattScaling fitted = FitPlatt(rows.view(), prior);
      const PlattScaling expected = Descend(rows, prior);
      EXPECT_NEAR(fitted.scale, expected.scale, 1e-5) << seed;
      EXPECT_NEAR(fitted.offset, expected.offset, 1e-5) << seed;
    }
  }
}

// With scores of 0 and a wide prior, the offset is the log-odds of the labels.
TEST(PlattScalingTest, HasTheClosedFormOfAShare) {
  Rows rows;
  for (int i = 0; i < 100; ++i) {
    rows.scores.push_back(0);
    rows.shifts.push_back(0);
    rows.labels.push_back(i < 20);
  }
  const PlattScaling fitted = FitPlatt(rows.view(), Prior(0, 1e4));
  EXPECT_EQ(fitted.scale, 1);
  EXPECT_NEAR(fitted.offset, std::log(20.0 / 80.0), 1e-6);
}

// With one group of n rows whose score is 0, the offset o solves
// n (sigmoid(o) - share) + o / deviation^2 = 0.
TEST(PlattScalingTest, TheShrunkOffsetSolvesItsEquation) {
  for (const int n : {1, 5, 40, 1000}) {
    Rows rows;
    for (int i = 0; i < n; ++i) {
      rows.scores.push_back(0);
      rows.shifts.push_back(0);
      rows.labels.push_back(1);
    }
    const double o = FitPlatt(rows.view(), Prior(0, 0.5)).offset;
    EXPECT_NEAR(n * (1 / (1 + std::exp(-o)) - 1) + o / 0.25, 0, 1e-8);
    EXPECT_GT(o, 0);
  }
}

TEST(PlattScalingTest, WithoutRowsItIsThePrior) {
  const PlattScaling fitted = FitPlatt({}, Prior(1, 1));
  EXPECT_EQ(fitted.scale, 1);
  EXPECT_EQ(fitted.offset, 0);
}

TEST(PlattScalingTest, MoreRowsPullFurtherFromThePrior) {
  double last = 0;
  for (const size_t count : {4, 40, 400, 4000}) {
    const double offset =
        FitPlatt(RandomRows(count, 1, 2, 3).view(), Prior(0.1, 0.3)).offset;
    EXPECT_GT(offset, last) << count;
    last = offset;
  }
  EXPECT_NEAR(last, 2, 0.2);
}

TEST(PlattScalingTest, AHigherScoreNeverMeansALowerProbability) {
  Rows rows = RandomRows(400, 1, 0, 5);
  for (uint8_t& label : rows.labels) label = 1 - label;
  const PlattScaling fitted = FitPlatt(rows.view(), Prior(10, 10));
  EXPECT_EQ(fitted.scale, kLeastScaleShare);
}

TEST(PlattScalingTest, SeparatedRowsStayFinite) {
  Rows rows;
  for (int i = 0; i < 50; ++i) {
    rows.scores.push_back(i < 25 ? -30 : 30);
    rows.shifts.push_back(0);
    rows.labels.push_back(i >= 25);
  }
  const PlattScaling fitted = FitPlatt(rows.view(), Prior(1, 5));
  EXPECT_TRUE(std::isfinite(fitted.scale));
  EXPECT_TRUE(std::isfinite(fitted.offset));
}

}  // namespace
}  // namespace slice
