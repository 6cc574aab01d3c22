#include "context/neighbor_sample.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace slice {
namespace {

std::vector<NodeId> Sample(const NeighborList& neighbors, size_t limit) {
  std::vector<NodeId> sample;
  ForEachSampled(neighbors, limit, [&](NodeId n) { sample.push_back(n); });
  return sample;
}

TEST(ForEachSampled, VisitsAllUpToTheLimit) {
  const std::vector<NodeId> all = {3, 5, 8};
  EXPECT_EQ(Sample(NeighborList(all, {}), 3), all);
  EXPECT_TRUE(Sample(NeighborList({}, {}), 3).empty());
}

TEST(ForEachSampled, StridesOverVisiblePositions) {
  std::vector<NodeId> all(1000);
  std::iota(all.begin(), all.end(), 0);
  for (const size_t limit : {1, 2, 3, 7, 64, 500, 999}) {
    const NeighborList neighbors(all, {0, 1, 500, 999});
    std::vector<NodeId> expected;
    for (size_t i = 0; i < limit; ++i) {
      expected.push_back(neighbors[i * neighbors.size() / limit]);
    }
    if (limit < neighbors.size()) {
      EXPECT_EQ(Sample(neighbors, limit), expected) << limit;
    } else {
      EXPECT_EQ(Sample(neighbors, limit).size(), neighbors.size());
    }
  }
}

}  // namespace
}  // namespace slice
