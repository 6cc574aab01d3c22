#include "trainer/methods/messages/graph_encoder.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/randn.h>

#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/trainer/methods/finite_differences.h"
#include "trainer/methods/messages/compgcn_encoder.h"
#include "trainer/methods/messages/gat_encoder.h"
#include "trainer/methods/messages/gcn_encoder.h"
#include "trainer/methods/messages/hgt_encoder.h"
#include "trainer/methods/messages/message_block_builder.h"
#include "trainer/methods/messages/message_functions.h"
#include "trainer/methods/messages/rgcn_encoder.h"

namespace slice {
namespace {

constexpr int kInput = 3, kHidden = 4, kOutput = 2;
constexpr int kBases = 2;

// Every kind of encoder on a small graph with hubs, isolated nodes, parallel
// arcs and self loops.
class EncoderTest : public testing::TestWithParam<std::string> {
 protected:
  static GraphData MakeData() {
    RandomMultigraphOptions options;
    options.nodes = 14;
    options.links = 30;
    options.relations = 3;
    return RandomMultigraph(options, 5);
  }

  std::unique_ptr<GraphEncoder> MakeEncoder() const {
    at::manual_seed(2);
    const EncoderShape shape{kInput, kHidden, kOutput, 2, 0};
    std::unique_ptr<GraphEncoder> encoder;
    if (GetParam() == "gcn") encoder = std::make_unique<GcnEncoder>(shape);
    if (GetParam() == "gat") encoder = std::make_unique<GatEncoder>(shape, 2);
    if (GetParam() == "hgt") {
      encoder = std::make_unique<HgtEncoder>(
          shape, snapshot_->node_type_count(), snapshot_->relation_count(), 2);
    }
    if (GetParam() == "rgcn") {
      encoder = std::make_unique<RgcnEncoder>(
          shape, snapshot_->relation_count(), kBases);
    }
    if (GetParam().starts_with("compgcn")) {
      encoder = std::make_unique<CompGcnEncoder>(
          shape, snapshot_->relation_count(),
          GetParam() == "compgcn_sub"    ? CompGcnComposition::kSub
          : GetParam() == "compgcn_mult" ? CompGcnComposition::kMult
                                         : CompGcnComposition::kCorr);
    }
    // Biases start at zero, where a misplaced bias would not show.
    std::vector<at::Tensor> values;
    for (const at::Tensor& parameter : encoder->parameters()) {
      values.push_back(parameter.detach() + 0.1 * at::randn(parameter.sizes()));
    }
    encoder->SetParameters(values);
    encoder->ToDouble();
    return encoder;
  }

  static at::Tensor MakeStates(size_t nodes) {
    at::manual_seed(3);
    return at::randn({static_cast<int64_t>(nodes), kInput}, at::kDouble);
  }

  static std::vector<NodeId> AllNodes(const GraphSnapshot& snapshot) {
    std::vector<NodeId> nodes(snapshot.node_count());
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    return nodes;
  }

  // Both layers on the whole of `snapshot`.
  static at::Tensor RunWhole(const GraphEncoder& encoder,
                             const GraphSnapshot& snapshot,
                             const at::Tensor& states) {
    const at::NoGradGuard no_grad;
    const MessageGraph graph(snapshot, encoder.graph_options());
    const MessageBlock block =
        BlockBuilder(graph, 1).Build(AllNodes(snapshot), {});
    return encoder.RunLayer(1, block, encoder.RunLayer(0, block, states, false),
                            false);
  }

  const GraphData data_ = MakeData();
  const std::shared_ptr<const GraphSnapshot> snapshot_ =
      BuildSnapshotOrDie(data_);
};

TEST_P(EncoderTest, GradientsAreThoseOfFiniteDifferences) {
  const auto encoder = MakeEncoder();
  const MessageGraph graph(*snapshot_, encoder->graph_options());
  BlockBuilder builder(graph, 1);
  BlockOptions options;
  options.most_arcs = 4;
  const std::vector<NodeId> wanted = {0, 3, 7, 13};
  const MessageBlock last = builder.Build(wanted, options);
  const MessageBlock first = builder.Build(last.nodes, options);
  at::Tensor states = MakeStates(first.source_count()).set_requires_grad(true);
  const at::Tensor mix = at::randn({4, kOutput}, at::kDouble);
  const std::function<at::Tensor()> function = [&] {
    const at::Tensor vectors = encoder->RunLayer(
        1, last, encoder->RunLayer(0, first, states, true), true);
    const at::Tensor labels = encoder->LabelVectors(1);
    const at::Tensor sum = (vectors * mix).sum();
    return labels.defined() ? sum + labels.square().sum() : sum;
  };
  ExpectGradient(function, states, "states");
  for (size_t i = 0; i < encoder->parameters().size(); ++i) {
    ExpectGradient(function, encoder->parameters()[i],
                   "parameter " + std::to_string(i));
  }
}

TEST_P(EncoderTest, ASampleOfAllNeighboursIsTheWholeGraph) {
  const auto encoder = MakeEncoder();
  const at::Tensor states = MakeStates(snapshot_->node_count());
  const at::Tensor whole = RunWhole(*encoder, *snapshot_, states);
  const MessageGraph graph(*snapshot_, encoder->graph_options());
  BlockBuilder builder(graph, 1);
  BlockOptions options;
  options.most_arcs = 1000;
  const std::vector<NodeId> wanted = {11, 2, 6};
  const MessageBlock last = builder.Build(wanted, options);
  const MessageBlock first = builder.Build(last.nodes, options);
  const at::Tensor sampled = encoder->RunLayer(
      1, last,
      encoder->RunLayer(0, first, TakeRows(states, first.nodes), false), false);
  EXPECT_TRUE(at::allclose(sampled, TakeRows(whole, wanted), 1e-9, 1e-12));
}

TEST_P(EncoderTest, IdsOfNodesDoNotMatter) {
  const auto encoder = MakeEncoder();
  const size_t nodes = snapshot_->node_count();
  const auto renumber = [nodes](NodeId node) {
    return static_cast<NodeId>((5 * node + 3) % nodes);
  };
  GraphData renumbered = data_;
  std::vector<uint32_t> old(nodes);
  for (NodeId node = 0; node < nodes; ++node) {
    renumbered.catalogue.nodes[renumber(node)] = data_.catalogue.nodes[node];
    old[renumber(node)] = node;
  }
  for (Link& link : renumbered.links) {
    link.source = renumber(link.source);
    link.target = renumber(link.target);
  }
  const at::Tensor states = MakeStates(nodes);
  const at::Tensor before = RunWhole(*encoder, *snapshot_, states);
  const at::Tensor after = RunWhole(*encoder, *BuildSnapshotOrDie(renumbered),
                                    TakeRows(states, old));
  EXPECT_TRUE(at::allclose(after, TakeRows(before, old), 1e-9, 1e-12));
}

TEST_P(EncoderTest, IdsOfRelationsDoNotMatter) {
  const auto encoder = MakeEncoder();
  const std::vector<RelationId> renamed = {2, 0, 1};
  GraphData data = data_;
  std::vector<uint32_t> old_label(6);
  for (RelationId r = 0; r < 3; ++r) {
    data.catalogue.relations[renamed[r]] = data_.catalogue.relations[r];
    for (uint32_t against : {0, 1}) {
      old_label[2 * renamed[r] + against] = 2 * r + against;
    }
  }
  for (Link& link : data.links) link.relation = renamed[link.relation];
  const at::Tensor states = MakeStates(snapshot_->node_count());
  const at::Tensor before = RunWhole(*encoder, *snapshot_, states);
  std::vector<at::Tensor> moved;
  for (const at::Tensor& parameter : encoder->parameters()) {
    // CompGCN and HGT have a seventh label, that of the self arc.
    const int64_t labels = parameter.size(0) % 7 == 0 ? 7 : 6;
    const bool of_labels =
        labels == 7 || (GetParam() == "rgcn" && parameter.size(0) == 6 &&
                        parameter.size(1) == kBases);
    moved.push_back(parameter.detach().clone());
    const int64_t rows = parameter.size(0) / labels;  // of a label
    for (int64_t i = 0; of_labels && i < 6; ++i) {
      const int64_t old = old_label[static_cast<size_t>(i)];
      moved.back()
          .narrow(0, i * rows, rows)
          .copy_(parameter.detach().narrow(0, old * rows, rows));
    }
  }
  encoder->SetParameters(moved);
  const at::Tensor after =
      RunWhole(*encoder, *BuildSnapshotOrDie(data), states);
  EXPECT_TRUE(at::allclose(after, before, 1e-9, 1e-12));
}

INSTANTIATE_TEST_SUITE_P(All, EncoderTest,
                         testing::Values("gcn", "gat", "rgcn", "hgt",
                                         "compgcn_sub", "compgcn_mult",
                                         "compgcn_corr"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace slice
