// The loss of a logistic model by its log-odds.
#ifndef SLICE_TRAINER_SOFTPLUS_H_
#define SLICE_TRAINER_SOFTPLUS_H_

#include <algorithm>
#include <cmath>

namespace slice {

// log(1 + exp(x)), without overflow.
inline double Softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

}  // namespace slice

#endif  // SLICE_TRAINER_SOFTPLUS_H_
