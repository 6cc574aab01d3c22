#include "trainer/embedding/grouped_noise.h"

#include <map>
#include <vector>

#include "gtest/gtest.h"

namespace slice {
namespace {

std::map<NodeId, int> CountDraws(const GroupedNoise& noise, NodeId like,
                                 int draws) {
  Random random(1);
  std::map<NodeId, int> counts;
  for (int i = 0; i < draws; ++i) ++counts[noise.Draw(like, random)];
  return counts;
}

TEST(GroupedNoiseTest, WithoutGroupsAllNodesAreDrawnByWeight) {
  const GroupedNoise noise(std::vector<double>{3, 0, 1});
  const auto counts = CountDraws(noise, 1, 4000);
  EXPECT_EQ(counts.size(), 2u);
  EXPECT_NEAR(counts.at(0), 3000, 150);
  EXPECT_NEAR(counts.at(2), 1000, 150);
}

TEST(GroupedNoiseTest, NodesAreDrawnFromTheGroup) {
  const GroupedNoise noise(std::vector<double>{1, 5, 2, 0, 1, 7},
                           std::vector<uint32_t>{0, 2, 0, 0, 0, 2});
  const auto first = CountDraws(noise, 3, 4000);
  EXPECT_EQ(first.size(), 3u);
  EXPECT_NEAR(first.at(0), 1000, 150);
  EXPECT_NEAR(first.at(2), 2000, 150);
  EXPECT_NEAR(first.at(4), 1000, 150);
  const auto second = CountDraws(noise, 5, 6000);
  EXPECT_EQ(second.size(), 2u);
  EXPECT_NEAR(second.at(1), 2500, 150);
  EXPECT_NEAR(second.at(5), 3500, 150);
}

}  // namespace
}  // namespace slice
