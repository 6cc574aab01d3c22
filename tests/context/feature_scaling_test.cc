#include "context/feature_scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

// 200 rows of four features: skewed and partly zero, constant, signed, all
// zero.
std::vector<float> SampleRows() {
  Random random(7);
  std::vector<float> rows;
  for (int row = 0; row < 200; ++row) {
    const double uniform = random.Uniform();
    rows.push_back(row % 3 == 0 ? 0
                                : static_cast<float>(std::exp(8 * uniform)));
    rows.push_back(2.5f);
    rows.push_back(static_cast<float>(uniform - 0.5));
    rows.push_back(0);
  }
  return rows;
}

TEST(FeatureScaling, StandardisesWhatVaries) {
  const std::vector<float> rows = SampleRows();
  const FeatureScaling scaling = FeatureScaling::Fit(rows, 4);
  for (const size_t feature : {0, 2}) {
    double sum = 0, squares = 0;
    for (size_t row = 0; row < 200; ++row) {
      std::vector<float> values(rows.begin() + row * 4,
                                rows.begin() + row * 4 + 4);
      scaling.Apply(values);
      sum += values[feature];
      squares += values[feature] * values[feature];
      EXPECT_EQ(values[1], 0);
      EXPECT_EQ(values[3], 0);
    }
    EXPECT_NEAR(sum / 200, 0, 1e-4);
    EXPECT_NEAR(squares / 200, 1, 1e-3);
  }
}

TEST(FeatureScaling, WhatOnlyRareRowsVaryIsFittedToThem) {
  // Features: varies in both, varies in rare rows alone, never varies.
  const std::vector<float> rows = {1, 0, 7, 2, 0, 7, 3, 0, 7};
  const std::vector<float> rare = {100, 1, 7};
  std::vector<float> with = {2, 1, 7}, without = {2, 1, 7};
  FeatureScaling::Fit(rows, 3, rare).Apply(with);
  FeatureScaling::Fit(rows, 3).Apply(without);
  EXPECT_EQ(with[0], without[0]);
  EXPECT_NEAR(with[1], std::sqrt(3), 1e-4);  // of 0, 0, 0, 1
  EXPECT_EQ(without[1], 0);
  EXPECT_EQ(with[2], 0);
}

TEST(FeatureScaling, TakesTheUnitFromSmallNonZeroValues) {
  // Non-zero values 1 to 100: their 5 % quantile is 5.
  std::vector<float> rows(50, 0.0f);
  for (int i = 100; i >= 1; --i) rows.push_back(static_cast<float>(i));
  GraphStatistics statistics;
  FeatureScaling::Fit(rows, 1).AddTo(statistics);
  const auto array = statistics.Get("pair_features.scaling");
  ASSERT_TRUE(array.ok());
  EXPECT_EQ((*array)->values[0], 5);
}

TEST(FeatureScaling, KeepsTheSignAndClips) {
  const FeatureScaling scaling =
      FeatureScaling::Fit(std::vector<float>{-1, 1, -2, 2}, 1);
  std::vector<float> low = {-1e30f}, high = {1e30f}, middle = {0};
  scaling.Apply(low);
  scaling.Apply(high);
  scaling.Apply(middle);
  EXPECT_EQ(low[0], -6);
  EXPECT_EQ(high[0], 6);
  EXPECT_EQ(middle[0], 0);
}

TEST(FeatureScaling, SurvivesTheWayThroughStatistics) {
  const std::vector<float> rows = SampleRows();
  const FeatureScaling scaling = FeatureScaling::Fit(rows, 4);
  GraphStatistics statistics;
  scaling.AddTo(statistics);
  const auto restored = FeatureScaling::FromStatistics(statistics, 4);
  ASSERT_TRUE(restored.ok()) << restored.status();
  for (size_t row = 0; row < 200; ++row) {
    std::vector<float> before(rows.begin() + row * 4,
                              rows.begin() + row * 4 + 4);
    std::vector<float> after = before;
    scaling.Apply(before);
    restored->Apply(after);
    EXPECT_EQ(before, after);
  }
}

TEST(FeatureScaling, RefusesStatisticsThatDoNotFit) {
  GraphStatistics statistics;
  EXPECT_EQ(FeatureScaling::FromStatistics(statistics, 4).status().code(),
            absl::StatusCode::kNotFound);
  FeatureScaling::Fit(SampleRows(), 4).AddTo(statistics);
  EXPECT_EQ(FeatureScaling::FromStatistics(statistics, 5).status().code(),
            absl::StatusCode::kDataLoss);
  for (const float unit : {0.0f, -1.0f, std::nanf("")}) {
    statistics.Set("pair_features.scaling", {{3, 1}, {unit, 0, 1}});
    EXPECT_EQ(FeatureScaling::FromStatistics(statistics, 1).status().code(),
              absl::StatusCode::kDataLoss);
  }
}

TEST(FeatureScaling, OfNoRowsScalesToZero) {
  const FeatureScaling scaling = FeatureScaling::Fit({}, 2);
  std::vector<float> row = {3, -4};
  scaling.Apply(row);
  EXPECT_EQ(row, (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace slice
