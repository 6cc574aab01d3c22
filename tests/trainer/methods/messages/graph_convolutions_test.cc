#include "trainer/methods/messages/graph_convolutions.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/trainer/methods/finite_differences.h"
#include "trainer/methods/messages/compgcn_encoder.h"
#include "trainer/methods/messages/link_losses.h"
#include "trainer/methods/messages/message_functions.h"

namespace slice {
namespace {

constexpr int kInput = 3, kHidden = 4, kOutput = 2;
constexpr int kBases = 2;

using Function = std::function<at::Tensor()>;

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
  const Function function = [&] {
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
    // CompGCN has a seventh label, that of the self arc.
    const bool of_labels =
        (parameter.size(0) == 6 && parameter.size(1) == kBases) ||
        parameter.size(0) == 7;
    moved.push_back(parameter.detach().clone());
    for (int64_t i = 0; of_labels && i < 6; ++i) {
      moved.back()[i] = parameter.detach()[old_label[static_cast<size_t>(i)]];
    }
  }
  encoder->SetParameters(moved);
  const at::Tensor after =
      RunWhole(*encoder, *BuildSnapshotOrDie(data), states);
  EXPECT_TRUE(at::allclose(after, before, 1e-9, 1e-12));
}

INSTANTIATE_TEST_SUITE_P(All, EncoderTest,
                         testing::Values("gcn", "gat", "rgcn", "compgcn_sub",
                                         "compgcn_mult", "compgcn_corr"),
                         [](const auto& info) { return info.param; });

// Compares one layer with its formula in dense matrices.
class LayerFormulaTest : public testing::Test {
 protected:
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

TEST_F(LayerFormulaTest, GcnIsTheSymmetricallyNormalisedProduct) {
  const GcnEncoder encoder(shape_);
  const at::Tensor all = NeighboursAndSelf();
  const at::Tensor root = all.sum(1).rsqrt();
  const at::Tensor expected =
      at::mm(root.unsqueeze(1) * all * root.unsqueeze(0),
             at::mm(states_, encoder.parameters()[0]));
  EXPECT_TRUE(at::allclose(Run(encoder), expected, 1e-4, 1e-5));
}

TEST_F(LayerFormulaTest, GatWeighsNeighboursBySoftmax) {
  const GatEncoder encoder(shape_, 1);
  const auto& p = encoder.parameters();
  const at::Tensor values = at::mm(states_, p[0]);
  const at::Tensor scores = at::leaky_relu(
      at::mm(values, p[2].t()) + at::mm(values, p[3].t()).t(), 0.2);
  const at::Tensor shares =
      at::softmax(scores.masked_fill(NeighboursAndSelf() == 0, -1e30), 1);
  EXPECT_TRUE(at::allclose(Run(encoder), at::mm(shares, values), 1e-4, 1e-5));
}

TEST_F(LayerFormulaTest, GatTakesTheMeanOfItsHeadsInTheLastLayer) {
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
TEST_F(LayerFormulaTest, HeadsOfGatChangeItsOutput) {
  at::manual_seed(7);
  const at::Tensor one = Run(GatEncoder(shape_, 1));
  at::manual_seed(7);
  const at::Tensor four = Run(GatEncoder(shape_, 4));
  EXPECT_FALSE(at::allclose(one, four, 1e-2, 1e-3));
}

TEST_F(LayerFormulaTest, RgcnAveragesWithinEachRelationAndDirection) {
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

TEST_F(LayerFormulaTest, CompGcnComposesEveryNeighbourWithItsRelation) {
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

TEST_F(LayerFormulaTest, CompGcnTransformsRelationsFromLayerToLayer) {
  const CompGcnEncoder encoder({kInput, kHidden, kOutput, 2, 0}, 2,
                               CompGcnComposition::kMult);
  const auto& p = encoder.parameters();
  const at::Tensor first = at::mm(p[0], p[3]);
  EXPECT_TRUE(at::allclose(encoder.LabelVectors(0), first.narrow(0, 0, 4)));
  EXPECT_TRUE(at::allclose(encoder.LabelVectors(1),
                           at::mm(first, p[7]).narrow(0, 0, 4), 1e-4, 1e-5));
}

TEST(DotEndsTest, IsTheDotProductOfEveryPair) {
  at::manual_seed(7);
  const std::vector<uint32_t> first = {3, 0, 3, 1, 4}, second = {1, 0, 2, 4, 3};
  std::vector<uint32_t> arc_of_pair;
  const MessageBlock pairs = BlockOfPairs(first, second, 5, arc_of_pair);
  at::Tensor states = at::randn({5, 3}, at::kDouble).set_requires_grad(true);
  const at::Tensor dots = DotEnds(pairs, states);
  const at::Tensor expected =
      (TakeRows(states, first) * TakeRows(states, second)).sum(1);
  EXPECT_TRUE(at::allclose(TakeRows(dots.unsqueeze(1), arc_of_pair).squeeze(1),
                           expected, 1e-12, 1e-12));
  const at::Tensor mix = at::randn({5}, at::kDouble);
  ExpectGradient([&] { return (DotEnds(pairs, states) * mix).sum(); }, states,
                 "states");
}

TEST(LinkLossesTest, CrossEntropyHasTheGradientOfFiniteDifferences) {
  at::manual_seed(5);
  at::Tensor scores = at::randn({7}, at::kDouble).set_requires_grad(true);
  ExpectGradient([&] { return BalancedCrossEntropy(scores, 3); }, scores,
                 "scores");
}

TEST(LinkLossesTest, CandidateSoftmaxHasTheGradientOfFiniteDifferences) {
  at::manual_seed(6);
  const auto random = [](at::IntArrayRef shape) {
    return at::randn(shape, at::kDouble).set_requires_grad(true);
  };
  at::Tensor queries = random({3, 4}), candidates = random({5, 4}),
             answers = random({3});
  const at::Tensor known = at::rand({3, 5}) < 0.3;
  const Function loss = [&] {
    return CandidateSoftmax(queries, candidates, answers, known);
  };
  ExpectGradient(loss, queries, "queries");
  ExpectGradient(loss, candidates, "candidates");
  ExpectGradient(loss, answers, "answers");
}

TEST(LinkLossesTest, KnownAnswersAreNoRivals) {
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph({}, 9));
  std::vector<Link> links;
  const ArcSpan arcs = snapshot->Arcs(0, Direction::kOut);
  for (size_t i = 0; i < arcs.size(); ++i) {
    links.push_back({0, arcs.relations[i], arcs.neighbors[i]});
  }
  ASSERT_FALSE(links.empty());
  std::vector<NodeId> nodes(snapshot->node_count());
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const at::Tensor known = KnownAnswers(*snapshot, links, nodes, direction);
    for (size_t i = 0; i < links.size(); ++i) {
      for (const NodeId node : nodes) {
        Link link = links[i];
        (direction == Direction::kOut ? link.target : link.source) = node;
        EXPECT_EQ(known[static_cast<int64_t>(i)][node].item<bool>(),
                  snapshot->HasLink(link));
      }
    }
  }
}

}  // namespace
}  // namespace slice
