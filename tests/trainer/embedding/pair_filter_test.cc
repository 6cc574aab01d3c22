#include "trainer/embedding/pair_filter.h"

#include <gtest/gtest.h>

namespace slice {
namespace {

TEST(PairFilterTest, NeverLosesAPairAndSeldomInventsOne) {
  constexpr NodeId kPairs = 20000;
  PairFilter filter(kPairs);
  for (NodeId i = 0; i < kPairs; ++i) {
    filter.Add(PairFilter::Hash(i, 3 * i + 1));
  }
  int invented = 0;
  for (NodeId i = 0; i < kPairs; ++i) {
    ASSERT_TRUE(filter.MayHave(PairFilter::Hash(3 * i + 1, i)));
    invented += filter.MayHave(PairFilter::Hash(i, 3 * i + 2));
  }
  EXPECT_LT(invented, kPairs / 25);
  EXPECT_GT(invented, 0);
}

TEST(PairFilterTest, EmptyFilterHasNothing) {
  const PairFilter filter(0);
  EXPECT_FALSE(filter.MayHave(PairFilter::Hash(1, 2)));
}

}  // namespace
}  // namespace slice
