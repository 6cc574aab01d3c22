#include "graphstore/link_folds.h"

#include <vector>

#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(LinkFoldsTest, BothDirectionsOfAPairLieInOneFold) {
  const LinkFolds folds(7, 5);
  for (NodeId a = 0; a < 50; ++a) {
    for (NodeId b = 0; b < 50; ++b) {
      EXPECT_EQ(folds.FoldOf(a, b), folds.FoldOf(b, a));
      EXPECT_GE(folds.FoldOf(a, b), 0);
      EXPECT_LT(folds.FoldOf(a, b), 7);
    }
  }
}

TEST(LinkFoldsTest, FoldsAreOfLikeSize) {
  const LinkFolds folds(10, 1);
  std::vector<int> sizes(10, 0);
  for (NodeId a = 0; a < 200; ++a) {
    for (NodeId b = 0; b < a; ++b) ++sizes[folds.FoldOf(a, b)];
  }
  for (const int size : sizes) EXPECT_NEAR(size, 1990, 200);
}

TEST(LinkFoldsTest, SeedsSplitDifferently) {
  int same = 0;
  for (NodeId node = 0; node < 1000; ++node)
    same +=
        LinkFolds(10, 1).FoldOf(0, node) == LinkFolds(10, 2).FoldOf(0, node);
  EXPECT_LT(same, 200);
}

}  // namespace
}  // namespace slice
