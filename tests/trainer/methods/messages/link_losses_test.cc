#include "trainer/methods/messages/link_losses.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>

#include <functional>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/trainer/methods/finite_differences.h"

namespace slice {
namespace {

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
  const std::function<at::Tensor()> loss = [&] {
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
