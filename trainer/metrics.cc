// Ranked measures start from the labels grouped by distinct score, descending,
// so that links of equal score are taken together: AUROC counts a tie between a
// positive and a negative as one half, curves step once per group, and a
// threshold lies between two groups. Probability measures (log loss, Brier,
// bins) go over the links in their order.
#include "trainer/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "trainer/softplus.h"

namespace slice {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// The links of one distinct score, counted by label.
struct ScoreGroup {
  float score = 0;
  uint64_t positives = 0;
  uint64_t negatives = 0;
};

struct ScoreGroups {
  std::vector<ScoreGroup> groups;  // by score, descending
  uint64_t positives = 0;
  uint64_t negatives = 0;
};

ScoreGroups GroupByScore(std::span<const float> scores,
                         std::span<const uint8_t> labels) {
  std::vector<uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
  ScoreGroups result;
  for (const uint32_t i : order) {
    if (result.groups.empty() || result.groups.back().score != scores[i]) {
      result.groups.push_back({scores[i], 0, 0});
    }
    ++(labels[i] ? result.groups.back().positives
                 : result.groups.back().negatives);
    ++(labels[i] ? result.positives : result.negatives);
  }
  return result;
}

double Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

// Keeps the first point, the last point, and evenly spaced points between them.
std::vector<CurvePoint> Thin(std::vector<CurvePoint> points,
                             size_t max_points) {
  max_points = std::max<size_t>(max_points, 2);
  if (points.size() <= max_points) return points;
  std::vector<CurvePoint> kept(max_points);
  for (size_t i = 0; i < max_points; ++i) {
    kept[i] = points[i * (points.size() - 1) / (max_points - 1)];
  }
  return kept;
}

// The mean log loss of sigmoid(logit * scale), without overflow.
double ScaledLogLoss(std::span<const float> logits,
                     std::span<const uint8_t> labels, double scale) {
  double sum = 0;
  for (size_t i = 0; i < logits.size(); ++i) {
    sum += Softplus((labels[i] ? -1.0 : 1.0) * logits[i] * scale);
  }
  return sum / static_cast<double>(logits.size());
}

}  // namespace

double Auroc(std::span<const float> scores, std::span<const uint8_t> labels) {
  if (std::ranges::any_of(scores, [](float s) { return std::isnan(s); })) {
    return kUndefined;
  }
  const ScoreGroups grouped = GroupByScore(scores, labels);
  if (grouped.positives == 0 || grouped.negatives == 0) return kUndefined;
  double wins = 0;
  uint64_t positives_above = 0;
  for (const ScoreGroup& group : grouped.groups) {
    wins += static_cast<double>(group.negatives) *
            (static_cast<double>(positives_above) + 0.5 * group.positives);
    positives_above += group.positives;
  }
  return wins / static_cast<double>(grouped.positives) /
         static_cast<double>(grouped.negatives);
}

double AveragePrecision(std::span<const float> scores,
                        std::span<const uint8_t> labels) {
  const ScoreGroups grouped = GroupByScore(scores, labels);
  if (grouped.positives == 0) return kUndefined;
  double sum = 0;
  uint64_t found = 0, predicted = 0;
  for (const ScoreGroup& group : grouped.groups) {
    found += group.positives;
    predicted += group.positives + group.negatives;
    sum += static_cast<double>(group.positives) * Ratio(found, predicted);
  }
  return sum / static_cast<double>(grouped.positives);
}

double ConfusionCounts::Precision() const {
  return Ratio(true_positives, true_positives + false_positives);
}

double ConfusionCounts::Recall() const {
  return Ratio(true_positives, true_positives + false_negatives);
}

double ConfusionCounts::F1() const {
  return Ratio(2 * true_positives,
               2 * true_positives + false_positives + false_negatives);
}

double ConfusionCounts::Accuracy() const {
  const uint64_t correct = true_positives + true_negatives;
  return Ratio(correct, correct + false_positives + false_negatives);
}

ConfusionCounts ConfusionAt(std::span<const float> scores,
                            std::span<const uint8_t> labels, double threshold) {
  ConfusionCounts counts;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] >= threshold) {
      ++(labels[i] ? counts.true_positives : counts.false_positives);
    } else {
      ++(labels[i] ? counts.false_negatives : counts.true_negatives);
    }
  }
  return counts;
}

double BestF1Threshold(std::span<const float> scores,
                       std::span<const uint8_t> labels) {
  const ScoreGroups grouped = GroupByScore(scores, labels);
  if (grouped.groups.empty()) return kUndefined;
  double best_f1 = -1, best_threshold = 0;
  ConfusionCounts counts;
  counts.false_negatives = grouped.positives;
  for (size_t i = 0; i < grouped.groups.size(); ++i) {
    counts.true_positives += grouped.groups[i].positives;
    counts.false_negatives -= grouped.groups[i].positives;
    counts.false_positives += grouped.groups[i].negatives;
    if (counts.F1() <= best_f1) continue;
    best_f1 = counts.F1();
    const double score = grouped.groups[i].score;
    const double next =
        i + 1 < grouped.groups.size() ? grouped.groups[i + 1].score : score;
    best_threshold = score + (next - score) / 2;
  }
  return best_threshold;
}

std::vector<CurvePoint> RocCurve(std::span<const float> scores,
                                 std::span<const uint8_t> labels,
                                 size_t max_points) {
  const ScoreGroups grouped = GroupByScore(scores, labels);
  if (grouped.positives == 0 || grouped.negatives == 0) return {};
  std::vector<CurvePoint> points = {{0, 0}};
  uint64_t positives = 0, negatives = 0;
  for (const ScoreGroup& group : grouped.groups) {
    positives += group.positives;
    negatives += group.negatives;
    points.push_back({Ratio(negatives, grouped.negatives),
                      Ratio(positives, grouped.positives)});
  }
  return Thin(std::move(points), max_points);
}

std::vector<CurvePoint> PrecisionRecallCurve(std::span<const float> scores,
                                             std::span<const uint8_t> labels,
                                             size_t max_points) {
  const ScoreGroups grouped = GroupByScore(scores, labels);
  if (grouped.positives == 0) return {};
  std::vector<CurvePoint> points;
  uint64_t found = 0, predicted = 0;
  for (const ScoreGroup& group : grouped.groups) {
    found += group.positives;
    predicted += group.positives + group.negatives;
    points.push_back(
        {Ratio(found, grouped.positives), Ratio(found, predicted)});
  }
  return Thin(std::move(points), max_points);
}

double Sigmoid(double logit) {
  if (logit >= 0) return 1 / (1 + std::exp(-logit));
  const double power = std::exp(logit);
  return power / (1 + power);
}

std::vector<float> CalibratedProbabilities(std::span<const float> logits,
                                           double temperature) {
  std::vector<float> probabilities(logits.size());
  for (size_t i = 0; i < logits.size(); ++i) {
    probabilities[i] = static_cast<float>(Sigmoid(logits[i] / temperature));
  }
  return probabilities;
}

double FitTemperature(std::span<const float> logits,
                      std::span<const uint8_t> labels) {
  if (logits.empty()) return 1;
  // The loss is convex in 1 / temperature, so golden-section search finds its
  // minimum. The highest temperature is so high because some logits are dot
  // products of long vectors, which are in the hundreds.
  constexpr double kLowest = 0.05, kHighest = 1000;
  constexpr double kGolden = 0.6180339887498949;
  double low = 1 / kHighest, high = 1 / kLowest;
  double left = high - kGolden * (high - low);
  double right = low + kGolden * (high - low);
  double left_loss = ScaledLogLoss(logits, labels, left);
  double right_loss = ScaledLogLoss(logits, labels, right);
  while (high - low > 1e-5 * low) {
    if (left_loss <= right_loss) {
      high = right;
      right = left;
      right_loss = left_loss;
      left = high - kGolden * (high - low);
      left_loss = ScaledLogLoss(logits, labels, left);
    } else {
      low = left;
      left = right;
      left_loss = right_loss;
      right = low + kGolden * (high - low);
      right_loss = ScaledLogLoss(logits, labels, right);
    }
  }
  return std::clamp(2 / (low + high), kLowest, kHighest);
}

double LogLoss(std::span<const float> probabilities,
               std::span<const uint8_t> labels) {
  if (probabilities.empty()) return kUndefined;
  double sum = 0;
  for (size_t i = 0; i < probabilities.size(); ++i) {
    const double p =
        std::clamp(static_cast<double>(probabilities[i]), 1e-7, 1 - 1e-7);
    sum -= std::log(labels[i] ? p : 1 - p);
  }
  return sum / static_cast<double>(probabilities.size());
}

double BrierScore(std::span<const float> probabilities,
                  std::span<const uint8_t> labels) {
  if (probabilities.empty()) return kUndefined;
  double sum = 0;
  for (size_t i = 0; i < probabilities.size(); ++i) {
    const double error = probabilities[i] - (labels[i] ? 1.0 : 0.0);
    sum += error * error;
  }
  return sum / static_cast<double>(probabilities.size());
}

std::vector<CalibrationBin> CalibrationBins(
    std::span<const float> probabilities, std::span<const uint8_t> labels,
    int bins) {
  std::vector<CalibrationBin> result(bins);
  for (int bin = 0; bin < bins; ++bin) {
    result[bin].lower = static_cast<double>(bin) / bins;
    result[bin].upper = static_cast<double>(bin + 1) / bins;
  }
  for (size_t i = 0; i < probabilities.size(); ++i) {
    const int place = static_cast<int>(probabilities[i] * bins);
    CalibrationBin& bin = result[std::clamp(place, 0, bins - 1)];
    ++bin.count;
    bin.mean_probability += probabilities[i];
    bin.positive_share += labels[i] ? 1 : 0;
  }
  for (CalibrationBin& bin : result) {
    if (bin.count == 0) continue;
    bin.mean_probability /= static_cast<double>(bin.count);
    bin.positive_share /= static_cast<double>(bin.count);
  }
  return result;
}

double ExpectedCalibrationError(std::span<const CalibrationBin> bins) {
  double sum = 0;
  uint64_t count = 0;
  for (const CalibrationBin& bin : bins) {
    sum += static_cast<double>(bin.count) *
           std::abs(bin.mean_probability - bin.positive_share);
    count += bin.count;
  }
  return count == 0 ? kUndefined : sum / static_cast<double>(count);
}

BinaryMetrics EvaluateBinary(std::span<const float> scores,
                             std::span<const uint8_t> labels,
                             double threshold) {
  const std::vector<double> thresholds(scores.size(), threshold);
  BinaryMetrics metrics = EvaluateBinary(scores, labels, thresholds);
  metrics.threshold = threshold;
  return metrics;
}

BinaryMetrics EvaluateBinary(std::span<const float> scores,
                             std::span<const uint8_t> labels,
                             std::span<const double> thresholds) {
  ConfusionCounts counts;
  bool common = true;
  for (size_t i = 0; i < thresholds.size(); ++i) {
    const bool called = scores[i] >= thresholds[i];
    ++(labels[i] ? (called ? counts.true_positives : counts.false_negatives)
                 : (called ? counts.false_positives : counts.true_negatives));
    common &= thresholds[i] == thresholds[0];
  }
  BinaryMetrics metrics;
  metrics.positives = std::count(labels.begin(), labels.end(), uint8_t{1});
  metrics.negatives = labels.size() - metrics.positives;
  metrics.auroc = Auroc(scores, labels);
  metrics.average_precision = AveragePrecision(scores, labels);
  metrics.threshold =
      common && !thresholds.empty() ? thresholds[0] : kUndefined;
  const bool known =
      thresholds.empty() ? scores.empty() : !std::isnan(thresholds[0]);
  metrics.f1 = known ? counts.F1() : kUndefined;
  metrics.accuracy = known ? counts.Accuracy() : kUndefined;
  metrics.precision = known ? counts.Precision() : kUndefined;
  metrics.recall = known ? counts.Recall() : kUndefined;
  return metrics;
}

double RankAmong(float score, std::span<const float> others) {
  uint64_t higher = 0, equal = 0;
  for (const float other : others) {
    higher += !(other <= score);  // all of them when the score is NaN
    equal += other == score;
  }
  return 1 + static_cast<double>(higher) + 0.5 * static_cast<double>(equal);
}

void RankingMetrics::Add(double rank) {
  ++count_;
  reciprocal_sum_ += 1 / rank;
  reciprocal_squares_ += 1 / (rank * rank);
  rank_sum_ += rank;
  if (rank <= static_cast<double>(hits_.size())) {
    ++hits_[static_cast<size_t>(std::ceil(rank)) - 1];
  }
}

void RankingMetrics::Merge(const RankingMetrics& other) {
  count_ += other.count_;
  reciprocal_sum_ += other.reciprocal_sum_;
  rank_sum_ += other.rank_sum_;
  reciprocal_squares_ += other.reciprocal_squares_;
  for (size_t i = 0; i < hits_.size(); ++i) hits_[i] += other.hits_[i];
}

double RankingMetrics::MeanReciprocalRank() const {
  return count_ == 0 ? kUndefined
                     : reciprocal_sum_ / static_cast<double>(count_);
}

double RankingMetrics::MeanRank() const {
  return count_ == 0 ? kUndefined : rank_sum_ / static_cast<double>(count_);
}

double RankingMetrics::HitsAt(int k) const {
  if (count_ == 0) return kUndefined;
  return Ratio(std::accumulate(hits_.begin(), hits_.begin() + k, uint64_t{0}),
               count_);
}

// `variance` is the sample variance of what is averaged over the ranks.
double RankingMetrics::StandardError(double variance, uint64_t of) const {
  if (count_ < 2) return kUndefined;
  const double count = static_cast<double>(count_);
  // The finite population correction (Cochran, Sampling Techniques, 1977): the
  // share of the ranks that is left out of the sample.
  const double left_out =
      std::max(0.0, 1 - count / static_cast<double>(std::max(of, count_)));
  return std::sqrt(std::max(variance, 0.0) / count * left_out);
}

double RankingMetrics::ReciprocalRankError(uint64_t of) const {
  const double count = static_cast<double>(count_);
  const double squares =
      reciprocal_squares_ - reciprocal_sum_ * reciprocal_sum_ / count;
  return StandardError(squares / (count - 1), of);
}

double RankingMetrics::HitsErrorAt(int k, uint64_t of) const {
  const double count = static_cast<double>(count_);
  const double share = HitsAt(k);
  return StandardError(share * (1 - share) * count / (count - 1), of);
}

}  // namespace slice
