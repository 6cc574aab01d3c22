#include "trainer/methods/messages/hgt_encoder.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <vector>

#include "tests/trainer/methods/messages/layer_formula.h"

namespace slice {
namespace {

constexpr int kHeads = 2;

// One layer, computed arc by arc.
class HgtEncoderTest : public LayerFormulaTest {
 protected:
  HgtEncoderTest() : graph_(*snapshot_, {.self_arcs = true}) {}

  HgtEncoder MakeEncoder(const EncoderShape& shape) const {
    HgtEncoder encoder(shape, snapshot_->node_type_count(),
                       snapshot_->relation_count(), kHeads);
    std::vector<at::Tensor> values;
    for (const at::Tensor& parameter : encoder.parameters()) {
      values.push_back(parameter.detach() + 0.2 * at::randn(parameter.sizes()));
    }
    encoder.SetParameters(values);
    return encoder;
  }

  // The row of `node` times the matrix of its type; `matrices` are those of all
  // types.
  at::Tensor ByType(const at::Tensor& row, NodeId node,
                    const at::Tensor& matrices) const {
    const int64_t width = row.size(1);
    return at::mm(row,
                  matrices.narrow(0, snapshot_->Type(node) * width, width));
  }
  // The part of a head of the row, times the matrix of the head and the label.
  static at::Tensor ByLabel(const at::Tensor& row, uint32_t label, int head,
                            const at::Tensor& matrices) {
    const int64_t width = matrices.size(1);
    const int64_t begin = (int64_t{label} * kHeads + head) * width;
    return at::mm(row.narrow(1, head * width, width),
                  matrices.narrow(0, begin, width));
  }

  std::vector<MessageArc> ArcsInto(NodeId node) const {
    const auto arcs = graph_.Arcs(node);
    std::vector<MessageArc> all(arcs.begin(), arcs.end());
    all.push_back({node, graph_.label_count() - 1});
    return all;
  }

  // The part of m_i that a head makes.
  at::Tensor HeadOf(const HgtEncoder& encoder, NodeId node, int head) const {
    const auto& p = encoder.parameters();
    const int64_t width = p[4].size(1);
    const at::Tensor query = ByType(states_.narrow(0, node, 1), node, p[1])
                                 .narrow(1, head * width, width);
    std::vector<at::Tensor> scores, messages;
    for (const MessageArc& arc : ArcsInto(node)) {
      const at::Tensor from = states_.narrow(0, arc.neighbor, 1);
      const at::Tensor key =
          ByLabel(ByType(from, arc.neighbor, p[0]), arc.label, head, p[4]);
      scores.push_back((key * query).sum() * p[6][arc.label][head] /
                       std::sqrt(static_cast<double>(width)));
      messages.push_back(
          ByLabel(ByType(from, arc.neighbor, p[2]), arc.label, head, p[5])
              .squeeze(0));
    }
    return at::mm(at::softmax(at::stack(scores), 0).unsqueeze(0),
                  at::stack(messages));
  }

  at::Tensor Expected(const HgtEncoder& encoder, bool residual) const {
    const at::NoGradGuard no_grad;
    const auto& p = encoder.parameters();
    std::vector<at::Tensor> rows;
    for (NodeId node = 0; node < nodes_; ++node) {
      std::vector<at::Tensor> heads;
      for (int head = 0; head < kHeads; ++head) {
        heads.push_back(HeadOf(encoder, node, head).squeeze(0));
      }
      const at::Tensor sum = at::stack(heads).view({1, -1});
      at::Tensor row = ByType(at::gelu(sum), node, p[3]);
      if (residual) {
        const at::Tensor share = p[7][snapshot_->Type(node)].sigmoid();
        row = share * row + (1 - share) * states_.narrow(0, node, 1);
      }
      rows.push_back(row.squeeze(0));
    }
    return at::stack(rows);
  }

  const MessageGraph graph_;
};

TEST_F(HgtEncoderTest, AttendsByTypesAndRelations) {
  ASSERT_GT(snapshot_->node_type_count(), 1u);
  const HgtEncoder encoder = MakeEncoder(shape_);
  EXPECT_TRUE(at::allclose(Run(encoder), Expected(encoder, false), 1e-4, 1e-5));
}

TEST_F(HgtEncoderTest, ALayerOfEqualWidthsKeepsAShareOfItsInput) {
  states_ = at::randn({nodes_, 4});
  const HgtEncoder encoder = MakeEncoder({4, 4, 4, 1, 0});
  EXPECT_TRUE(at::allclose(Run(encoder), Expected(encoder, true), 1e-4, 1e-5));
}

}  // namespace
}  // namespace slice
