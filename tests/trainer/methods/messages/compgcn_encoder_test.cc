#include "trainer/methods/messages/compgcn_encoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/zeros.h>

#include "tests/trainer/methods/messages/layer_formula.h"

namespace slice {
namespace {

using CompGcnEncoderTest = LayerFormulaTest;

at::Tensor ComposeOne(CompGcnComposition composition, const at::Tensor& node,
                      const at::Tensor& label) {
  if (composition == CompGcnComposition::kSub) return node - label;
  if (composition == CompGcnComposition::kMult) return node * label;
  const int64_t width = node.size(0);
  at::Tensor correlation = at::zeros({width});
  for (int64_t k = 0; k < width; ++k) {
    for (int64_t i = 0; i < width; ++i) {
      correlation[k] += node[i] * label[(i + k) % width];
    }
  }
  return correlation;
}

TEST_F(CompGcnEncoderTest, ComposesEveryNeighbourWithItsRelation) {
  const at::Tensor degree =
      (Adjacency(0) + Adjacency(1) + Adjacency(0).t() + Adjacency(1).t())
          .sum(1);
  for (const auto composition :
       {CompGcnComposition::kSub, CompGcnComposition::kMult,
        CompGcnComposition::kCorr}) {
    const CompGcnEncoder encoder(shape_, 2, composition);
    const auto& p = encoder.parameters();
    at::Tensor sums = at::zeros({nodes_, kOutput});
    for (int64_t to = 0; to < nodes_; ++to) {
      sums[to] +=
          at::matmul(ComposeOne(composition, states_[to], p[0][4]), p[2]);
      for (int label = 0; label < 4; ++label) {
        const at::Tensor along = Adjacency(static_cast<RelationId>(label / 2));
        const at::Tensor arcs = label % 2 == 0 ? along : along.t();
        const at::Tensor weights = p[1].narrow(0, label % 2 * kInput, kInput);
        for (int64_t from = 0; from < nodes_; ++from) {
          if (arcs[to][from].item<float>() == 0) continue;
          const at::Tensor message =
              ComposeOne(composition, states_[from], p[0][label]);
          sums[to] += at::matmul(message, weights) *
                      at::rsqrt(degree[to] * degree[from]);
        }
      }
    }
    EXPECT_TRUE(at::allclose(Run(encoder), (sums / 3).tanh(), 1e-4, 1e-5))
        << static_cast<int>(composition);
  }
}

TEST_F(CompGcnEncoderTest, TransformsRelationsFromLayerToLayer) {
  const CompGcnEncoder encoder({kInput, kHidden, kOutput, 2, 0}, 2,
                               CompGcnComposition::kMult);
  const auto& p = encoder.parameters();
  const at::Tensor first = at::mm(p[0], p[3]);
  EXPECT_TRUE(at::allclose(encoder.LabelVectors(0), first.narrow(0, 0, 4)));
  EXPECT_TRUE(at::allclose(encoder.LabelVectors(1),
                           at::mm(first, p[7]).narrow(0, 0, 4), 1e-4, 1e-5));
}

}  // namespace
}  // namespace slice
