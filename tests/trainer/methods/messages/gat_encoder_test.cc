#include "trainer/methods/messages/gat_encoder.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>

#include "tests/trainer/methods/messages/layer_formula.h"

namespace slice {
namespace {

using GatEncoderTest = LayerFormulaTest;

TEST_F(GatEncoderTest, WeighsNeighboursBySoftmax) {
  const GatEncoder encoder(shape_, 1);
  const auto& p = encoder.parameters();
  const at::Tensor values = at::mm(states_, p[0]);
  const at::Tensor scores = at::leaky_relu(
      at::mm(values, p[2].t()) + at::mm(values, p[3].t()).t(), 0.2);
  const at::Tensor shares =
      at::softmax(scores.masked_fill(NeighboursAndSelf() == 0, -1e30), 1);
  EXPECT_TRUE(at::allclose(Run(encoder), at::mm(shares, values), 1e-4, 1e-5));
}

TEST_F(GatEncoderTest, TakesTheMeanOfItsHeadsInTheLastLayer) {
  constexpr int kHeads = 3;
  const GatEncoder encoder(shape_, kHeads);
  const auto& p = encoder.parameters();
  const at::Tensor absent = NeighboursAndSelf() == 0;
  at::Tensor sum = at::zeros({nodes_, kOutput});
  for (int head = 0; head < kHeads; ++head) {
    const at::Tensor values =
        at::mm(states_, p[0].narrow(1, head * kOutput, kOutput));
    const at::Tensor destination_scores =
        at::mm(values, p[2].narrow(0, head, 1).t());
    const at::Tensor source_scores =
        at::mm(values, p[3].narrow(0, head, 1).t());
    const at::Tensor scores =
        at::leaky_relu(destination_scores + source_scores.t(), 0.2);
    sum =
        sum + at::mm(at::softmax(scores.masked_fill(absent, -1e30), 1), values);
  }
  EXPECT_TRUE(at::allclose(Run(encoder), sum / kHeads, 1e-4, 1e-5));
}

// This holds for a single layer too, which is the default of the method.
TEST_F(GatEncoderTest, HeadsChangeItsOutput) {
  at::manual_seed(7);
  const at::Tensor one = Run(GatEncoder(shape_, 1));
  at::manual_seed(7);
  const at::Tensor four = Run(GatEncoder(shape_, 4));
  EXPECT_FALSE(at::allclose(one, four, 1e-2, 1e-3));
}

}  // namespace
}  // namespace slice
