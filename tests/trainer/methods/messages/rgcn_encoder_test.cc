#include "trainer/methods/messages/rgcn_encoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/mm.h>

#include "tests/trainer/methods/messages/layer_formula.h"

namespace slice {
namespace {

using RgcnEncoderTest = LayerFormulaTest;

TEST_F(RgcnEncoderTest, AveragesWithinEachRelationAndDirection) {
  constexpr int kBases = 2;
  const RgcnEncoder encoder(shape_, 2, kBases);
  const auto& p = encoder.parameters();
  const at::Tensor bases = p[0].view({kBases, kInput, kOutput});
  at::Tensor expected = at::mm(states_, p[2]);
  for (int label = 0; label < 4; ++label) {
    const at::Tensor along = Adjacency(static_cast<RelationId>(label / 2));
    const at::Tensor arcs = label % 2 == 0 ? along : along.t();
    const at::Tensor weights =
        (p[1][label].view({kBases, 1, 1}) * bases).sum(0);
    expected = expected + at::mm(arcs / arcs.sum(1, true).clamp_min(1),
                                 at::mm(states_, weights));
  }
  EXPECT_TRUE(at::allclose(Run(encoder), expected, 1e-4, 1e-5));
}

}  // namespace
}  // namespace slice
