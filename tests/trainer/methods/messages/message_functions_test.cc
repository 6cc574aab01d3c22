#include "trainer/methods/messages/message_functions.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/randn.h>

#include <vector>

#include "gtest/gtest.h"
#include "tests/trainer/methods/finite_differences.h"

namespace slice {
namespace {

TEST(DotArcEndsTest, IsTheDotProductOfEveryPair) {
  at::manual_seed(7);
  const std::vector<uint32_t> first = {3, 0, 3, 1, 4}, second = {1, 0, 2, 4, 3};
  std::vector<uint32_t> arc_of_pair;
  const MessageBlock pairs = BlockOfPairs(first, second, 5, arc_of_pair);
  at::Tensor states = at::randn({5, 3}, at::kDouble).set_requires_grad(true);
  const at::Tensor dots = DotArcEnds(pairs, states, states, 1);
  const at::Tensor expected =
      (TakeRows(states, first) * TakeRows(states, second)).sum(1);
  EXPECT_TRUE(at::allclose(TakeRows(dots, arc_of_pair).squeeze(1), expected,
                           1e-12, 1e-12));
  const at::Tensor mix = at::randn({5, 1}, at::kDouble);
  ExpectGradient(
      [&] { return (DotArcEnds(pairs, states, states, 1) * mix).sum(); },
      states, "states");
}

TEST(DotArcEndsTest, KeepsHeadsApart) {
  at::manual_seed(7);
  const std::vector<uint32_t> first = {3, 0, 3, 1, 4}, second = {1, 0, 2, 4, 3};
  std::vector<uint32_t> arc_of_pair;
  const MessageBlock pairs = BlockOfPairs(first, second, 5, arc_of_pair);
  at::Tensor rows = at::randn({5, 6}, at::kDouble).set_requires_grad(true);
  at::Tensor others = at::randn({5, 6}, at::kDouble).set_requires_grad(true);
  const at::Tensor dots = DotArcEnds(pairs, rows, others, 2);
  const at::Tensor expected =
      (TakeRows(rows, first) * TakeRows(others, second)).view({5, 2, 3}).sum(2);
  EXPECT_TRUE(
      at::allclose(TakeRows(dots, arc_of_pair), expected, 1e-12, 1e-12));
  const at::Tensor mix = at::randn({5, 2}, at::kDouble);
  const auto sum = [&] {
    return (DotArcEnds(pairs, rows, others, 2) * mix).sum();
  };
  ExpectGradient(sum, rows, "destinations");
  ExpectGradient(sum, others, "sources");
}

}  // namespace
}  // namespace slice
