// Checks gradients of LibTorch against finite differences.
#ifndef SLICE_TESTS_TRAINER_METHODS_FINITE_DIFFERENCES_H_
#define SLICE_TESTS_TRAINER_METHODS_FINITE_DIFFERENCES_H_

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "gtest/gtest.h"

namespace slice {

// Compares the gradient of function() for `input` with central differences at
// every place. At least one of these must be above 1e-4, so that the check
// means something. REQUIRES: double precision.
inline void ExpectGradient(const std::function<at::Tensor()>& function,
                           at::Tensor input, const std::string& name) {
  constexpr double kStep = 1e-6;
  input.requires_grad_(true);
  if (input.grad().defined()) input.mutable_grad().zero_();
  function().backward();
  const at::Tensor gradient = input.grad().contiguous();
  const at::NoGradGuard no_grad;
  double* const values = input.data_ptr<double>();
  double largest = 0;
  for (int64_t i = 0; i < input.numel(); ++i) {
    const double value = values[i];
    values[i] = value + kStep;
    const double above = function().item<double>();
    values[i] = value - kStep;
    const double below = function().item<double>();
    values[i] = value;
    const double by_differences = (above - below) / (2 * kStep);
    EXPECT_NEAR(gradient.data_ptr<double>()[i], by_differences, 1e-6)
        << name << " at " << i;
    largest = std::max(largest, std::abs(by_differences));
  }
  EXPECT_GT(largest, 1e-4) << name;
}

}  // namespace slice

#endif  // SLICE_TESTS_TRAINER_METHODS_FINITE_DIFFERENCES_H_
