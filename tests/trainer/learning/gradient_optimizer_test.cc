#include "trainer/learning/gradient_optimizer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <cmath>

namespace slice {
namespace {

at::Tensor Parameter(double value) {
  return at::full({2}, value).set_requires_grad(true);
}

// The first step of Adam is as long as the rate, whatever the gradient.
TEST(GradientOptimizerTest, FirstStepOfAdamIsTheRateOfItsGroup) {
  at::Tensor slow = Parameter(1), fast = Parameter(1);
  const auto optimizer = MakeAdam({{slow}, {fast}}, 0.5);
  optimizer->SetRate(0, 0.01);
  slow.mutable_grad() = at::full({2}, 3.0);
  fast.mutable_grad() = at::full({2}, -7.0);
  optimizer->Step();
  EXPECT_TRUE(at::allclose(slow.detach(), at::full({2}, 0.99)));
  EXPECT_TRUE(at::allclose(fast.detach(), at::full({2}, 1.5)));
}

TEST(GradientOptimizerTest, AdamWTakesItsShareOfTheParameter) {
  at::Tensor parameter = Parameter(2);
  const auto optimizer = MakeAdamW({{parameter}}, 0.1, 0.5);
  parameter.mutable_grad() = at::full({2}, 4.0);
  optimizer->Step();
  EXPECT_TRUE(
      at::allclose(parameter.detach(), at::full({2}, 2 - 0.1 * 0.5 * 2 - 0.1)));
}

TEST(GradientOptimizerTest, ClearedGradientsMoveNothing) {
  at::Tensor parameter = Parameter(1);
  const auto optimizer = MakeAdam({{parameter}}, 0.1);
  parameter.mutable_grad() = at::ones({2});
  optimizer->ClearGradients();
  optimizer->Step();
  EXPECT_TRUE(at::allclose(parameter.detach(), at::ones({2})));
}

TEST(GradientOptimizerTest, LongGradientsAreScaledToTheNorm) {
  at::Tensor a = Parameter(0), b = Parameter(0);
  a.mutable_grad() = at::full({2}, 6.0);
  b.mutable_grad() = at::full({2}, 8.0);  // together sqrt(200) long
  ClipGradients({a, b}, std::sqrt(2.0));
  EXPECT_TRUE(at::allclose(a.grad(), at::full({2}, 0.6), 1e-4));
  EXPECT_TRUE(at::allclose(b.grad(), at::full({2}, 0.8), 1e-4));
}

TEST(GradientOptimizerTest, ShortGradientsAreLeftAlone) {
  at::Tensor a = Parameter(0);
  a.mutable_grad() = at::full({2}, 0.1);
  ClipGradients({a}, 1.0);
  EXPECT_TRUE(at::allclose(a.grad(), at::full({2}, 0.1)));
}

}  // namespace
}  // namespace slice
