#include "trainer/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

using ::testing::DoubleNear;
using ::testing::IsEmpty;

struct Sample {
  std::vector<float> scores;
  std::vector<uint8_t> labels;
};

// Scores on a coarse grid, so that ties are common.
Sample RandomSample(size_t size, int levels, uint64_t seed) {
  Random random(seed);
  Sample sample;
  for (size_t i = 0; i < size; ++i) {
    const uint8_t label = random.Uniform() < 0.4;
    const int level = static_cast<int>(random.Below(levels)) + (label ? 2 : 0);
    sample.scores.push_back(static_cast<float>(level) / levels - 0.5f);
    sample.labels.push_back(label);
  }
  return sample;
}

double PairwiseAuroc(const Sample& sample) {
  double wins = 0, pairs = 0;
  for (size_t i = 0; i < sample.scores.size(); ++i) {
    for (size_t j = 0; j < sample.scores.size(); ++j) {
      if (!sample.labels[i] || sample.labels[j]) continue;
      ++pairs;
      wins += sample.scores[i] > sample.scores[j]    ? 1
              : sample.scores[i] == sample.scores[j] ? 0.5
                                                     : 0;
    }
  }
  return wins / pairs;
}

// Average precision by its definition: the mean, over positives, of the
// precision among all links of at least their score.
double PairwiseAveragePrecision(const Sample& sample) {
  double sum = 0, positives = 0;
  for (size_t i = 0; i < sample.scores.size(); ++i) {
    if (!sample.labels[i]) continue;
    ++positives;
    double found = 0, predicted = 0;
    for (size_t j = 0; j < sample.scores.size(); ++j) {
      if (sample.scores[j] < sample.scores[i]) continue;
      ++predicted;
      found += sample.labels[j];
    }
    sum += found / predicted;
  }
  return sum / positives;
}

TEST(MetricsTest, AurocEqualsPairwiseDefinition) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const Sample sample = RandomSample(20 + seed * 3, 3 + seed % 20, seed);
    EXPECT_NEAR(Auroc(sample.scores, sample.labels), PairwiseAuroc(sample),
                1e-12);
  }
}

TEST(MetricsTest, AveragePrecisionEqualsPairwiseDefinition) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const Sample sample = RandomSample(20 + seed * 3, 3 + seed % 20, seed);
    EXPECT_NEAR(AveragePrecision(sample.scores, sample.labels),
                PairwiseAveragePrecision(sample), 1e-12);
  }
}

TEST(MetricsTest, AurocOfKnownCase) {
  const std::vector<float> scores = {0.1f, 0.4f, 0.35f, 0.8f};
  const std::vector<uint8_t> labels = {0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(Auroc(scores, labels), 0.75);
  EXPECT_NEAR(AveragePrecision(scores, labels), (1 + 2 / 3.0) / 2, 1e-12);
}

TEST(MetricsTest, WithoutANumberForALinkThereIsNoAuroc) {
  const std::vector<float> scores = {0.1f, NAN, 0.35f, 0.8f};
  const std::vector<uint8_t> labels = {0, 0, 1, 1};
  EXPECT_TRUE(std::isnan(Auroc(scores, labels)));
}

TEST(MetricsTest, OneClassHasNoAuroc) {
  const std::vector<float> scores = {0.1f, 0.2f};
  const std::vector<uint8_t> all = {1, 1}, none = {0, 0};
  EXPECT_TRUE(std::isnan(Auroc(scores, all)));
  EXPECT_TRUE(std::isnan(Auroc(scores, none)));
  EXPECT_TRUE(std::isnan(AveragePrecision(scores, none)));
  EXPECT_TRUE(std::isnan(Auroc({}, {})));
  EXPECT_THAT(RocCurve(scores, all), IsEmpty());
}

TEST(MetricsTest, ConfusionCountsThresholdAsPredicted) {
  const std::vector<float> scores = {0.9f, 0.5f, 0.5f, 0.1f, 0.2f};
  const std::vector<uint8_t> labels = {1, 1, 0, 0, 1};
  const ConfusionCounts counts = ConfusionAt(scores, labels, 0.5);
  EXPECT_EQ(counts.true_positives, 2u);
  EXPECT_EQ(counts.false_positives, 1u);
  EXPECT_EQ(counts.true_negatives, 1u);
  EXPECT_EQ(counts.false_negatives, 1u);
  EXPECT_DOUBLE_EQ(counts.F1(), 2 / 3.0);
  EXPECT_DOUBLE_EQ(counts.Accuracy(), 3 / 5.0);
}

TEST(MetricsTest, BestThresholdBeatsEveryOther) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const Sample sample = RandomSample(60, 2 + seed % 15, seed);
    const double threshold = BestF1Threshold(sample.scores, sample.labels);
    const double best =
        ConfusionAt(sample.scores, sample.labels, threshold).F1();
    for (const float score : sample.scores) {
      EXPECT_GE(best, ConfusionAt(sample.scores, sample.labels, score).F1());
      EXPECT_GE(best,
                ConfusionAt(sample.scores, sample.labels, score + 1e-4f).F1());
    }
  }
}

TEST(MetricsTest, BestThresholdLiesBetweenScores) {
  const std::vector<float> scores = {0.2f, 0.8f};
  const std::vector<uint8_t> labels = {0, 1};
  EXPECT_NEAR(BestF1Threshold(scores, labels), 0.5, 1e-7);
}

TEST(MetricsTest, RocAreaEqualsAuroc) {
  const Sample sample = RandomSample(500, 50, 7);
  const std::vector<CurvePoint> curve =
      RocCurve(sample.scores, sample.labels, 1000);
  double area = 0;
  for (size_t i = 1; i < curve.size(); ++i) {
    area += (curve[i].x - curve[i - 1].x) * (curve[i].y + curve[i - 1].y) / 2;
  }
  EXPECT_NEAR(area, Auroc(sample.scores, sample.labels), 1e-12);
}

TEST(MetricsTest, ThinnedCurvesKeepTheirEnds) {
  const Sample sample = RandomSample(5000, 100000, 8);
  const std::vector<CurvePoint> roc =
      RocCurve(sample.scores, sample.labels, 50);
  ASSERT_EQ(roc.size(), 50u);
  EXPECT_EQ(roc.front().x, 0);
  EXPECT_EQ(roc.front().y, 0);
  EXPECT_EQ(roc.back().x, 1);
  EXPECT_EQ(roc.back().y, 1);
  const auto curve = PrecisionRecallCurve(sample.scores, sample.labels, 50);
  ASSERT_EQ(curve.size(), 50u);
  EXPECT_EQ(curve.back().x, 1);
}

// Labels drawn from sigmoid(logit / true_temperature).
Sample LogitSample(double true_temperature, uint64_t seed) {
  Random random(seed);
  Sample sample;
  for (int i = 0; i < 20000; ++i) {
    const double logit = 8 * (random.Uniform() - 0.5);
    sample.scores.push_back(static_cast<float>(logit));
    sample.labels.push_back(random.Uniform() <
                            Sigmoid(logit / true_temperature));
  }
  return sample;
}

TEST(MetricsTest, TemperatureIsRecovered) {
  for (const double truth : {0.4, 1.0, 3.0}) {
    const Sample sample = LogitSample(truth, 11);
    EXPECT_NEAR(FitTemperature(sample.scores, sample.labels), truth,
                0.06 * truth);
  }
}

TEST(MetricsTest, TemperatureHasLeastLogLoss) {
  const Sample sample = LogitSample(1.7, 12);
  const double fitted = FitTemperature(sample.scores, sample.labels);
  const auto loss = [&](double temperature) {
    return LogLoss(CalibratedProbabilities(sample.scores, temperature),
                   sample.labels);
  };
  for (const double other : {0.97, 1.03}) {
    EXPECT_LT(loss(fitted), loss(fitted * other));
  }
}

TEST(MetricsTest, TemperatureStaysBounded) {
  const std::vector<float> logits = {-3, -1, 1, 3};
  const std::vector<uint8_t> right = {0, 0, 1, 1}, wrong = {1, 1, 0, 0};
  EXPECT_NEAR(FitTemperature(logits, right), 0.05, 1e-3);
  EXPECT_NEAR(FitTemperature(logits, wrong), 1000, 1);
  EXPECT_EQ(FitTemperature({}, {}), 1);
}

// Such as dot products without a projection: all are far above 0, and their
// probabilities must still tell them apart.
TEST(MetricsTest, LargeLogitsKeepTheirOrderAsProbabilities) {
  Random random(4);
  std::vector<float> logits;
  std::vector<uint8_t> labels;
  for (int i = 0; i < 400; ++i) {
    labels.push_back(i % 2);
    logits.push_back(
        static_cast<float>(450 + 100 * random.Uniform() + 60 * (i % 2)));
  }
  const double temperature = FitTemperature(logits, labels);
  EXPECT_NEAR(Auroc(CalibratedProbabilities(logits, temperature), labels),
              Auroc(logits, labels), 1e-6);
}

TEST(MetricsTest, LogLossAndBrierOfKnownCase) {
  const std::vector<float> probabilities = {0.75f, 0.25f, 1.0f};
  const std::vector<uint8_t> labels = {1, 0, 1};
  EXPECT_NEAR(LogLoss(probabilities, labels), -2 * std::log(0.75) / 3, 1e-6);
  EXPECT_NEAR(BrierScore(probabilities, labels), 2 * 0.0625 / 3, 1e-9);
}

TEST(MetricsTest, LogLossOfCertainErrorIsFinite) {
  const std::vector<float> probabilities = {0.0f};
  const std::vector<uint8_t> labels = {1};
  EXPECT_NEAR(LogLoss(probabilities, labels), -std::log(1e-7), 1e-6);
}

TEST(MetricsTest, CalibrationBinsHoldEveryProbability) {
  const std::vector<float> probabilities = {0.0f, 0.05f, 0.5f, 0.95f, 1.0f};
  const std::vector<uint8_t> labels = {0, 1, 1, 1, 1};
  const auto bins = CalibrationBins(probabilities, labels, 10);
  ASSERT_EQ(bins.size(), 10u);
  EXPECT_EQ(bins[0].count, 2u);
  EXPECT_EQ(bins[5].count, 1u);
  EXPECT_EQ(bins[9].count, 2u);
  EXPECT_DOUBLE_EQ(bins[0].positive_share, 0.5);
  EXPECT_THAT(bins[0].mean_probability, DoubleNear(0.025, 1e-8));
  EXPECT_THAT(ExpectedCalibrationError(bins),
              DoubleNear((2 * 0.475 + 0.5 + 2 * 0.025) / 5, 1e-7));
}

TEST(MetricsTest, CalibratedScoresHaveSmallCalibrationError) {
  const Sample sample = LogitSample(2.5, 13);
  const auto error = [&](double temperature) {
    return ExpectedCalibrationError(CalibrationBins(
        CalibratedProbabilities(sample.scores, temperature), sample.labels));
  };
  EXPECT_LT(error(2.5), 0.02);
  EXPECT_GT(error(1.0), 0.1);
}

TEST(MetricsTest, RankOfTieIsItsMean) {
  const std::vector<float> others = {0.9f, 0.5f, 0.5f, 0.1f};
  EXPECT_DOUBLE_EQ(RankAmong(0.5f, others), 3);  // the mean of 2, 3 and 4
  EXPECT_DOUBLE_EQ(RankAmong(1.0f, others), 1);
  EXPECT_DOUBLE_EQ(RankAmong(0.0f, others), 5);
  EXPECT_DOUBLE_EQ(RankAmong(NAN, others), 5);
}

TEST(MetricsTest, RankingMetricsAverageRanks) {
  RankingMetrics metrics, half;
  for (const double rank : {1.0, 2.0}) metrics.Add(rank);
  for (const double rank : {4.0, 10.0, 10.5}) half.Add(rank);
  metrics.Merge(half);
  EXPECT_EQ(metrics.count(), 5u);
  EXPECT_DOUBLE_EQ(metrics.MeanReciprocalRank(),
                   (1 + 0.5 + 0.25 + 0.1 + 1 / 10.5) / 5);
  EXPECT_DOUBLE_EQ(metrics.MeanRank(), 27.5 / 5);
  EXPECT_DOUBLE_EQ(metrics.HitsAt(1), 0.2);
  EXPECT_DOUBLE_EQ(metrics.HitsAt(3), 0.4);
  EXPECT_DOUBLE_EQ(metrics.HitsAt(5), 0.6);
  EXPECT_DOUBLE_EQ(metrics.HitsAt(10), 0.8);
}

TEST(MetricsTest, NoRanksNoMean) {
  EXPECT_TRUE(std::isnan(RankingMetrics().MeanReciprocalRank()));
  EXPECT_TRUE(std::isnan(RankingMetrics().HitsAt(10)));
}

TEST(MetricsTest, EvaluateBinaryAgreesWithItsParts) {
  const Sample sample = RandomSample(200, 20, 3);
  const BinaryMetrics metrics =
      EvaluateBinary(sample.scores, sample.labels, 0.1);
  const ConfusionCounts counts = ConfusionAt(sample.scores, sample.labels, 0.1);
  EXPECT_EQ(metrics.positives + metrics.negatives, 200u);
  EXPECT_EQ(metrics.f1, counts.F1());
  EXPECT_EQ(metrics.precision, counts.Precision());
  EXPECT_EQ(metrics.recall, counts.Recall());
  EXPECT_EQ(metrics.auroc, Auroc(sample.scores, sample.labels));
}

TEST(MetricsTest, WithoutAThresholdOnlyRanksAreMeasured) {
  const Sample sample = RandomSample(200, 20, 3);
  const BinaryMetrics metrics =
      EvaluateBinary(sample.scores, sample.labels, std::nan(""));
  EXPECT_EQ(metrics.positives + metrics.negatives, 200u);
  EXPECT_EQ(metrics.auroc, Auroc(sample.scores, sample.labels));
  EXPECT_TRUE(std::isnan(metrics.f1));
  EXPECT_TRUE(std::isnan(metrics.accuracy));
}

// Over many samples of all questions the means deviate by the standard error
// that one sample tells.
TEST(RankingMetricsTest, StandardErrorsAreTheDeviationsOfSamples) {
  Random random(3);
  std::vector<double> ranks;
  for (int i = 0; i < 200; ++i) ranks.push_back(1 + random.Below(12));
  constexpr int kDrawn = 60, kSamples = 3000;
  double mrr_error = 0, hits_error = 0;
  std::vector<double> mrr, hits;
  for (int sample = 0; sample < kSamples; ++sample) {
    std::shuffle(ranks.begin(), ranks.end(), random);
    RankingMetrics metrics;
    for (int i = 0; i < kDrawn; ++i) metrics.Add(ranks[i]);
    mrr.push_back(metrics.MeanReciprocalRank());
    hits.push_back(metrics.HitsAt(3));
    mrr_error += metrics.ReciprocalRankError(ranks.size()) / kSamples;
    hits_error += metrics.HitsErrorAt(3, ranks.size()) / kSamples;
  }
  const auto deviation = [](const std::vector<double>& values) {
    double sum = 0, squares = 0;
    for (const double value : values) {
      sum += value;
      squares += value * value;
    }
    const double count = static_cast<double>(values.size());
    return std::sqrt(squares / count - sum * sum / count / count);
  };
  EXPECT_NEAR(mrr_error / deviation(mrr), 1, 0.06);
  EXPECT_NEAR(hits_error / deviation(hits), 1, 0.06);
}

TEST(RankingMetricsTest, QuestionsThatAreAllAskedHaveNoError) {
  RankingMetrics metrics, other;
  metrics.Add(1);
  other.Add(4);
  EXPECT_TRUE(std::isnan(metrics.ReciprocalRankError(5)));
  metrics.Merge(other);
  EXPECT_EQ(metrics.ReciprocalRankError(2), 0);
  EXPECT_EQ(metrics.HitsErrorAt(1, 2), 0);
  EXPECT_NEAR(metrics.ReciprocalRankError(4),
              std::sqrt(2 * 0.375 * 0.375 / 2 * 0.5), 1e-12);
}

}  // namespace
}  // namespace slice
