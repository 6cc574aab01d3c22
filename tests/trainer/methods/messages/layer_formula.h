// A fixture that compares one layer of an encoder with its formula in dense
// matrices.
#ifndef SLICE_TESTS_TRAINER_METHODS_MESSAGES_LAYER_FORMULA_H_
#define SLICE_TESTS_TRAINER_METHODS_MESSAGES_LAYER_FORMULA_H_

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <memory>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/methods/messages/graph_encoder.h"
#include "trainer/methods/messages/message_block_builder.h"

namespace slice {

class LayerFormulaTest : public testing::Test {
 protected:
  static constexpr int kInput = 3, kHidden = 4, kOutput = 2;

  LayerFormulaTest() {
    RandomMultigraphOptions options;
    options.nodes = 12;
    options.links = 30;
    options.relations = 2;
    snapshot_ = BuildSnapshotOrDie(RandomMultigraph(options, 8));
    nodes_ = static_cast<int64_t>(snapshot_->node_count());
    at::manual_seed(4);
    states_ = at::randn({nodes_, kInput});
  }

  // 1 where a link of `relation` leads from the column to the row.
  at::Tensor Adjacency(RelationId relation) const {
    at::Tensor matrix = at::zeros({nodes_, nodes_});
    for (NodeId node = 0; node < nodes_; ++node) {
      for (const NodeId target :
           snapshot_->Neighbors(node, relation, Direction::kOut)) {
        if (target != node) matrix[target][node] = 1;
      }
    }
    return matrix;
  }
  at::Tensor NeighboursAndSelf() const {
    const at::Tensor along = Adjacency(0) + Adjacency(1);
    return ((along + along.t()) > 0).to(at::kFloat) + at::eye(nodes_);
  }
  at::Tensor Run(const GraphEncoder& encoder) const {
    const at::NoGradGuard no_grad;
    const MessageGraph graph(*snapshot_, encoder.graph_options());
    std::vector<NodeId> nodes(static_cast<size_t>(nodes_));
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    const MessageBlock block = BlockBuilder(graph, 1).Build(nodes, {});
    return encoder.RunLayer(0, block, states_, false);
  }

  const EncoderShape shape_{kInput, kHidden, kOutput, 1, 0};
  std::shared_ptr<const GraphSnapshot> snapshot_;
  int64_t nodes_ = 0;
  at::Tensor states_;
};

}  // namespace slice

#endif  // SLICE_TESTS_TRAINER_METHODS_MESSAGES_LAYER_FORMULA_H_
