// The softmax of a few numbers.
#ifndef SLICE_TRAINER_METHODS_WALKS_TAKE_SOFTMAX_H_
#define SLICE_TRAINER_METHODS_WALKS_TAKE_SOFTMAX_H_

#include <algorithm>
#include <cmath>
#include <vector>

namespace slice {

// Replaces logits by their softmax. REQUIRES: `logits` is not empty.
template <typename Real>
void TakeSoftmax(std::vector<Real>& logits) {
  const Real most = *std::max_element(logits.begin(), logits.end());
  Real sum = 0;
  for (Real& logit : logits) {
    logit = std::exp(logit - most);
    sum += logit;
  }
  for (Real& logit : logits) logit /= sum;
}

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_TAKE_SOFTMAX_H_
