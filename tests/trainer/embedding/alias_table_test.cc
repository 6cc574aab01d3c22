#include "trainer/embedding/alias_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace slice {
namespace {

TEST(AliasTableTest, DrawsInProportionToWeights) {
  const std::vector<double> weights = {5, 0, 1, 2.5, 0.01, 11.49};
  const AliasTable table(weights);
  Random random(4);
  constexpr int kDraws = 400000;
  std::vector<double> counts(weights.size());
  for (int i = 0; i < kDraws; ++i) ++counts[table.Draw(random)];
  for (size_t i = 0; i < weights.size(); ++i) {
    const double share = weights[i] / 20;
    EXPECT_NEAR(counts[i] / kDraws, share,
                5 * std::sqrt(share * (1 - share) / kDraws))
        << i;
  }
  EXPECT_EQ(counts[1], 0);
}

TEST(AliasTableTest, OneWeightIsAlwaysDrawn) {
  const AliasTable table(std::vector<double>{3});
  Random random(4);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(table.Draw(random), 0u);
}

}  // namespace
}  // namespace slice
