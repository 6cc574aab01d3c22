// Measures of scores. Scores and labels are parallel; a label is 1 for a link
// and 0 for a non-link; a link is predicted when score >= threshold. All
// functions REQUIRE that scores and labels have the same size and that no score
// is NaN. A measure that is undefined for its input, such as AUROC without
// negatives, is NaN, which JSON writes as null. All functions are pure.
#ifndef SLICE_TRAINER_METRICS_H_
#define SLICE_TRAINER_METRICS_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "common/page/curve_point.h"

namespace slice {

// Area under the ROC curve, by ranks; a tie between a positive and a negative
// counts one half. NaN without links of both labels, or when a score is NaN.
double Auroc(std::span<const float> scores, std::span<const uint8_t> labels);

// Average precision: the sum of precision(s) * (recall(s) - recall(s')) over
// the distinct scores s, where s' is the next higher score; for the highest s,
// recall(s') is 0. Links of equal score are taken together.
double AveragePrecision(std::span<const float> scores,
                        std::span<const uint8_t> labels);

// Predictions counted by outcome. Precision, recall and F1 are those of the
// positive class; they are 0 when no positive is predicted or none exists.
struct ConfusionCounts {
  uint64_t true_positives = 0;
  uint64_t false_positives = 0;
  uint64_t true_negatives = 0;
  uint64_t false_negatives = 0;

  double Precision() const;
  double Recall() const;
  double F1() const;
  double Accuracy() const;
};

ConfusionCounts ConfusionAt(std::span<const float> scores,
                            std::span<const uint8_t> labels, double threshold);

// The threshold with the best F1 of the positive class (the highest of
// several), half way between the two scores that it separates.
double BestF1Threshold(std::span<const float> scores,
                       std::span<const uint8_t> labels);

// The points (false positive rate, true positive rate) from (0, 0) to (1, 1),
// at most `max_points`; empty when a class is missing.
std::vector<CurvePoint> RocCurve(std::span<const float> scores,
                                 std::span<const uint8_t> labels,
                                 size_t max_points = 200);

// The points (recall, precision) by growing recall; empty without positives.
std::vector<CurvePoint> PrecisionRecallCurve(std::span<const float> scores,
                                             std::span<const uint8_t> labels,
                                             size_t max_points = 200);

double Sigmoid(double logit);

// Probabilities sigmoid(logit / temperature).
std::vector<float> CalibratedProbabilities(std::span<const float> logits,
                                           double temperature);

// The temperature in [0.05, 1000] with the least log loss of
// CalibratedProbabilities (Guo et al., ICML 2017). 1 when nothing is given.
double FitTemperature(std::span<const float> logits,
                      std::span<const uint8_t> labels);

// Mean negative log likelihood in nats; probabilities are clipped to
// [1e-7, 1 - 1e-7].
double LogLoss(std::span<const float> probabilities,
               std::span<const uint8_t> labels);

// Mean squared error.
double BrierScore(std::span<const float> probabilities,
                  std::span<const uint8_t> labels);

// The links whose probability lies in one of `bins` equal parts of [0, 1].
struct CalibrationBin {
  double lower = 0;
  double upper = 0;
  double mean_probability = 0;  // 0 when empty
  double positive_share = 0;    // 0 when empty
  uint64_t count = 0;
};

std::vector<CalibrationBin> CalibrationBins(
    std::span<const float> probabilities, std::span<const uint8_t> labels,
    int bins = 15);

// The mean of |mean_probability - positive_share|, weighted by count.
double ExpectedCalibrationError(std::span<const CalibrationBin> bins);

// The measures of one scorer. Those that need a threshold are NaN without one.
struct BinaryMetrics {
  uint64_t positives = 0;
  uint64_t negatives = 0;
  double auroc = 0;
  double average_precision = 0;
  double threshold = 0;
  double f1 = 0;
  double accuracy = 0;
  double precision = 0;
  double recall = 0;
};

BinaryMetrics EvaluateBinary(std::span<const float> scores,
                             std::span<const uint8_t> labels, double threshold);
// A threshold for each score. When they differ, the result names none.
BinaryMetrics EvaluateBinary(std::span<const float> scores,
                             std::span<const uint8_t> labels,
                             std::span<const double> thresholds);

// The rank of `score` among `others`, from 1: the mean of a tie; last for NaN.
double RankAmong(float score, std::span<const float> others);

// Means over ranks, which are added one by one. Thread-compatible.
class RankingMetrics {
 public:
  // REQUIRES: rank >= 1.
  void Add(double rank);
  void Merge(const RankingMetrics& other);

  uint64_t count() const { return count_; }
  // NaN when nothing was added.
  double MeanReciprocalRank() const;
  double MeanRank() const;
  // The share of ranks <= k. REQUIRES: 1 <= k <= 10.
  double HitsAt(int k) const;
  // Standard errors when the added ranks are drawn from `of` ranks without
  // replacement. NaN below two added ranks.
  double ReciprocalRankError(uint64_t of) const;
  double HitsErrorAt(int k, uint64_t of) const;

 private:
  double StandardError(double variance, uint64_t of) const;

  uint64_t count_ = 0;
  double reciprocal_sum_ = 0;
  double reciprocal_squares_ = 0;
  double rank_sum_ = 0;
  std::array<uint64_t, 10> hits_ = {};  // [i]: how many ranks are in (i, i + 1]
};

}  // namespace slice

#endif  // SLICE_TRAINER_METRICS_H_
