#include "trainer/methods/messages/gcn_encoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/mm.h>

#include "tests/trainer/methods/messages/layer_formula.h"

namespace slice {
namespace {

using GcnEncoderTest = LayerFormulaTest;

TEST_F(GcnEncoderTest, IsTheSymmetricallyNormalisedProduct) {
  const GcnEncoder encoder(shape_);
  const at::Tensor all = NeighboursAndSelf();
  const at::Tensor root = all.sum(1).rsqrt();
  const at::Tensor expected =
      at::mm(root.unsqueeze(1) * all * root.unsqueeze(0),
             at::mm(states_, encoder.parameters()[0]));
  EXPECT_TRUE(at::allclose(Run(encoder), expected, 1e-4, 1e-5));
}

}  // namespace
}  // namespace slice
