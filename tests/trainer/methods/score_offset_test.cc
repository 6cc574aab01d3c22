#include "trainer/methods/score_offset.h"

#include <cmath>
#include <vector>

#include "common/random.h"
#include "gtest/gtest.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

struct Sample {
  std::vector<float> scores;
  std::vector<uint8_t> labels;
};

// Labels drawn from sigmoid((score - offset) / temperature).
Sample Draw(double offset, double temperature, int count) {
  Sample sample;
  Random random(5);
  for (int i = 0; i < count; ++i) {
    const double score = offset + 8 * random.Uniform() - 3;
    sample.scores.push_back(static_cast<float>(score));
    sample.labels.push_back(
        random.Uniform() < Sigmoid((score - offset) / temperature) ? 1 : 0);
  }
  return sample;
}

double LossAt(const Sample& sample, double offset) {
  std::vector<float> moved;
  for (const float score : sample.scores) {
    moved.push_back(static_cast<float>(score - offset));
  }
  return LogLoss(
      CalibratedProbabilities(moved, FitTemperature(moved, sample.labels)),
      sample.labels);
}

TEST(ScoreOffsetTest, FindsTheOffsetThatTheLabelsWereDrawnWith) {
  for (const double offset : {-4.0, 0.0, 7.5}) {
    const Sample sample = Draw(offset, 0.5, 20000);
    EXPECT_NEAR(FitScoreOffset(sample.scores, sample.labels), offset, 0.05);
  }
}

TEST(ScoreOffsetTest, NoOtherOffsetHasALowerLoss) {
  const Sample sample = Draw(2, 1.5, 2000);
  const double fitted = FitScoreOffset(sample.scores, sample.labels);
  for (const double other : {-0.3, -0.1, 0.1, 0.3}) {
    EXPECT_GT(LossAt(sample, fitted + other), LossAt(sample, fitted));
  }
}

TEST(ScoreOffsetTest, LiesBetweenScoresThatSeparateTheLabels) {
  const std::vector<float> scores = {1, 2, 3, 10, 11, 12};
  const std::vector<uint8_t> labels = {0, 0, 0, 1, 1, 1};
  EXPECT_NEAR(FitScoreOffset(scores, labels), 6.5, 1e-6);
}

TEST(ScoreOffsetTest, IsZeroForScoresThatDoNotPredict) {
  EXPECT_EQ(FitScoreOffset({}, {}), 0);
  const std::vector<float> same(4, 3.0f), turned = {4, 3, 2, 1};
  const std::vector<uint8_t> labels = {0, 0, 1, 1};
  EXPECT_EQ(FitScoreOffset(same, labels), 0);
  EXPECT_EQ(FitScoreOffset(turned, labels), 0);
}

}  // namespace
}  // namespace slice
