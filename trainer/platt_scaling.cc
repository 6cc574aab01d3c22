// FitPlatt takes Newton steps, halved until the loss falls. With two unknowns
// and a convex loss a few steps are enough. Where the best scale would be below
// the least one, the scale is fixed there and the offset is fitted alone.
#include "trainer/platt_scaling.h"

#include <algorithm>
#include <cmath>

#include "trainer/softplus.h"

namespace slice {
namespace {

constexpr int kMostSteps = 100;
constexpr int kMostHalvings = 40;
constexpr double kEnoughChange = 1e-12;

// 1 / deviation^2, and 0 for a number that is fixed and needs no penalty.
double Precision(double deviation) {
  return deviation > 0 ? 1 / (deviation * deviation) : 0;
}

double ShiftOf(const PlattRows& rows, size_t i) {
  return rows.shifts.empty() ? 0.0 : rows.shifts[i];
}

double Objective(const PlattRows& rows, const PlattPrior& prior,
                 const PlattScaling& at) {
  const double scale = at.scale - prior.mean.scale;
  const double offset = at.offset - prior.mean.offset;
  return PlattLoss(rows, at) +
         0.5 * (Precision(prior.scale_deviation) * scale * scale +
                Precision(prior.offset_deviation) * offset * offset);
}

// The first and second derivatives of Objective.
struct Slope {
  double scale = 0, offset = 0;
  double scale_scale = 0, scale_offset = 0, offset_offset = 0;
};

Slope SlopeAt(const PlattRows& rows, const PlattPrior& prior,
              const PlattScaling& at) {
  Slope slope;
  slope.scale_scale = Precision(prior.scale_deviation);
  slope.offset_offset = Precision(prior.offset_deviation);
  slope.scale = slope.scale_scale * (at.scale - prior.mean.scale);
  slope.offset = slope.offset_offset * (at.offset - prior.mean.offset);
  for (size_t i = 0; i < rows.scores.size(); ++i) {
    const double score = rows.scores[i];
    const double p =
        1 / (1 + std::exp(-(at.scale * score + at.offset + ShiftOf(rows, i))));
    const double error = p - (rows.labels[i] != 0 ? 1.0 : 0.0);
    const double weight = p * (1 - p);
    slope.scale += error * score;
    slope.offset += error;
    slope.scale_scale += weight * score * score;
    slope.scale_offset += weight * score;
    slope.offset_offset += weight;
  }
  return slope;
}

// The Newton step from here, in the numbers that may move.
PlattScaling StepOf(const Slope& slope, bool moves_scale, bool moves_offset) {
  constexpr double kTiny = 1e-12;  // keeps the division sound
  const double a = slope.scale_scale + kTiny, d = slope.offset_offset + kTiny;
  if (!moves_scale) return {0, moves_offset ? -slope.offset / d : 0};
  if (!moves_offset) return {-slope.scale / a, 0};
  const double b = slope.scale_offset;
  const double determinant = std::max(a * d - b * b, kTiny * a * d);
  return {-(d * slope.scale - b * slope.offset) / determinant,
          -(a * slope.offset - b * slope.scale) / determinant};
}

// Minimises Objective from `at` on.
PlattScaling Minimize(const PlattRows& rows, const PlattPrior& prior,
                      PlattScaling at) {
  double loss = Objective(rows, prior, at);
  for (int step = 0; step < kMostSteps; ++step) {
    const PlattScaling move =
        StepOf(SlopeAt(rows, prior, at), prior.scale_deviation > 0,
               prior.offset_deviation > 0);
    double length = 1;
    PlattScaling next = at;
    double next_loss = loss;
    for (int half = 0; half < kMostHalvings; ++half, length /= 2) {
      next = {at.scale + length * move.scale, at.offset + length * move.offset};
      next_loss = Objective(rows, prior, next);
      if (next_loss <= loss) break;
    }
    if (!(next_loss <= loss)) break;
    const double change =
        std::abs(next.scale - at.scale) + std::abs(next.offset - at.offset);
    at = next;
    loss = next_loss;
    if (change < kEnoughChange) break;
  }
  return at;
}

}  // namespace

PlattScaling FitPlatt(const PlattRows& rows, const PlattPrior& prior) {
  const PlattScaling best = Minimize(rows, prior, prior.mean);
  const double least = kLeastScaleShare * prior.mean.scale;
  if (best.scale >= least) return best;
  PlattPrior fixed = prior;
  fixed.mean.scale = least;
  fixed.scale_deviation = 0;
  return Minimize(rows, fixed, fixed.mean);
}

double PlattLoss(const PlattRows& rows, const PlattScaling& scaling) {
  double loss = 0;
  for (size_t i = 0; i < rows.scores.size(); ++i) {
    const double log_odds =
        scaling.scale * rows.scores[i] + scaling.offset + ShiftOf(rows, i);
    loss += Softplus(rows.labels[i] != 0 ? -log_odds : log_odds);
  }
  return loss;
}

}  // namespace slice
