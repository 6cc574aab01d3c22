// The learning-rate schedule of all training steps, and how long it is.
#ifndef SLICE_TRAINER_LEARNING_LEARNING_RATE_H_
#define SLICE_TRAINER_LEARNING_LEARNING_RATE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace slice {

// One cycle (Smith and Topin, 2019). Over the first tenth of the steps the rate
// rises linearly from a twenty-fifth of `peak` to `peak`; then it falls along a
// half cosine to zero.
inline double OneCycleRate(double peak, int64_t step, int64_t total_steps) {
  constexpr double kPi = 3.14159265358979323846;
  const double at = std::clamp(
      static_cast<double>(step) / std::max<int64_t>(total_steps, 1), 0.0, 1.0);
  if (at < 0.1) return peak * (0.04 + 0.96 * at / 0.1);
  return peak * 0.5 * (1 + std::cos(kPi * (at - 0.1) / 0.9));
}

// The steps of a pass over `items` that come in chunks of `chunk`. No batch
// holds items of two chunks.
inline int64_t StepsOfPass(uint64_t items, uint64_t chunk, uint64_t batch) {
  const auto batches = [batch](uint64_t n) { return (n + batch - 1) / batch; };
  return static_cast<int64_t>(items / chunk * batches(chunk) +
                              batches(items % chunk));
}

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_LEARNING_RATE_H_
