// Platt scaling with a prior: the numeric core of calibration (docs/model.md,
// "Calibration").
#ifndef SLICE_TRAINER_PLATT_SCALING_H_
#define SLICE_TRAINER_PLATT_SCALING_H_

#include <cstdint>
#include <span>

namespace slice {

// The log-odds of a row are scale * score + offset + shift of the row.
struct PlattScaling {
  double scale = 1;
  double offset = 0;
};

// What is believed of a scaling before any row is seen: independent normal
// distributions. A deviation of 0 fixes the number.
struct PlattPrior {
  PlattScaling mean;
  double scale_deviation = 0;
  double offset_deviation = 0;
};

// Rows to fit on; the arrays are parallel. `shifts` may be empty: all 0.
struct PlattRows {
  std::span<const double> scores;
  std::span<const double> shifts;
  std::span<const uint8_t> labels;
};

// The scale is at least this share of the prior's mean, so that a higher score
// always means a higher probability.
inline constexpr double kLeastScaleShare = 0.05;

// The scaling of the highest posterior density: the least of the log loss
// summed over the rows, plus the squared distances from the prior's mean in
// deviations, halved. It is unique, because the sum is convex. Without rows it
// is the prior's mean. REQUIRES: prior.mean.scale > 0; the deviations are
// finite and not negative.
PlattScaling FitPlatt(const PlattRows& rows, const PlattPrior& prior);

// The log loss of the rows, summed, in nats.
double PlattLoss(const PlattRows& rows, const PlattScaling& scaling);

}  // namespace slice

#endif  // SLICE_TRAINER_PLATT_SCALING_H_
