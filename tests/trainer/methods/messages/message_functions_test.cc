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

}  // namespace
}  // namespace slice
