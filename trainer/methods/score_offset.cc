// Fits a logistic regression of the labels on the scores by Newton's method.
// Scores are standardised first, so that the fit does not depend on their
// scale.
#include "trainer/methods/score_offset.h"

#include <algorithm>
#include <cmath>

#include "trainer/metrics.h"

namespace slice {
namespace {

constexpr int kMostSteps = 100;
constexpr double kSmallStep = 1e-9;

// The mean and the standard deviation.
struct Spread {
  double mean = 0, deviation = 0;
};

Spread SpreadOf(std::span<const float> scores) {
  Spread spread;
  const auto count = static_cast<double>(scores.size());
  for (const float score : scores) spread.mean += score / count;
  double squares = 0;
  for (const float score : scores) {
    squares += (score - spread.mean) * (score - spread.mean) / count;
  }
  spread.deviation = std::sqrt(squares);
  return spread;
}

// The model: a link of standardised score z has the label 1 with probability
// sigmoid(slope z + shift), where z = (score - mean) / deviation.
struct Logistic {
  double slope = 0, shift = 0;
};

// The Newton step from `at` towards the least log loss: minus the inverse of
// the second derivatives times the gradient.
Logistic NewtonStep(const Logistic& at, const Spread& spread,
                    std::span<const float> scores,
                    std::span<const uint8_t> labels) {
  const auto links =
      static_cast<double>(std::count(labels.begin(), labels.end(), 1));
  const double others = static_cast<double>(labels.size()) - links;
  // The targets of labels 0 and 1, smoothed as by Platt: with targets of 0 and
  // 1 the slope would grow without bound when scores separate the labels.
  const double targets[] = {1 / (others + 2), (links + 1) / (links + 2)};
  double of_slope = 0, of_shift = 0;              // gradient
  double slopes = 1e-9, both = 0, shifts = 1e-9;  // second derivatives
  for (size_t i = 0; i < scores.size(); ++i) {
    const double z = (scores[i] - spread.mean) / spread.deviation;
    const double p = Sigmoid(at.slope * z + at.shift);
    const double error = p - targets[labels[i] != 0 ? 1 : 0];
    const double weight = p * (1 - p);
    of_slope += error * z;
    of_shift += error;
    slopes += weight * z * z;
    both += weight * z;
    shifts += weight;
  }
  const double determinant = slopes * shifts - both * both;
  return {-(shifts * of_slope - both * of_shift) / determinant,
          -(slopes * of_shift - both * of_slope) / determinant};
}

}  // namespace

double FitScoreOffset(std::span<const float> scores,
                      std::span<const uint8_t> labels) {
  if (scores.empty()) return 0;
  const Spread spread = SpreadOf(scores);
  if (!(spread.deviation > 0)) return 0;
  Logistic fitted;
  for (int step = 0; step < kMostSteps; ++step) {
    Logistic move = NewtonStep(fitted, spread, scores, labels);
    // Far from the minimum a full Newton step can overshoot: limit its length
    // to 1.
    const double length = std::hypot(move.slope, move.shift);
    const double share = length > 1 ? 1 / length : 1;
    fitted.slope += share * move.slope;
    fitted.shift += share * move.shift;
    if (length < kSmallStep) break;
  }
  if (!(fitted.slope > 0)) return 0;
  // The score where the probability is 1/2: slope z + shift = 0.
  return spread.mean - spread.deviation * fitted.shift / fitted.slope;
}

}  // namespace slice
