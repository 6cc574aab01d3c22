#include "trainer/evaluation/grouped_mean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace slice {
namespace {

TEST(GroupedMeanTest, ValuesOfOneGroupAreOneDraw) {
  const std::vector<double> values = {1, 1, 0, 0};
  const GroupedMean alone =
      MeanByGroup(values, std::vector<uint64_t>{1, 2, 3, 4});
  const GroupedMean pairs =
      MeanByGroup(values, std::vector<uint64_t>{7, 7, 8, 8});
  EXPECT_EQ(alone.mean, 0.5);
  EXPECT_EQ(pairs.mean, 0.5);
  EXPECT_DOUBLE_EQ(alone.error, 0.25);                // sqrt(4 * .5^2) / 4
  EXPECT_DOUBLE_EQ(pairs.error, std::sqrt(2.0) / 4);  // sqrt(2 * 1^2) / 4
}

TEST(GroupedMeanTest, AGainIsClearBeyondOneError) {
  EXPECT_TRUE((GroupedMean{0.11, 0.1}.IsClearGain()));
  EXPECT_FALSE((GroupedMean{0.1, 0.1}.IsClearGain()));
  EXPECT_FALSE((GroupedMean{-0.3, 0.1}.IsClearGain()));
  EXPECT_FALSE(MeanByGroup({}, {}).IsClearGain());
}

}  // namespace
}  // namespace slice
