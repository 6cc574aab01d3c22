#include "graphstore/link_folds.h"

#include <vector>

#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(LinkFoldsTest, BothDirectionsOfAPairLieInOneFold) {
  const LinkFolds folds(7, 5);
  for (NodeId a = 0; a < 50; ++a) {
    for (NodeId b = 0; b < 50; ++b) {
      EXPECT_EQ(folds.FoldOfPair(a, b), folds.FoldOfPair(b, a));
      EXPECT_GE(folds.FoldOfPair(a, b), 0);
      EXPECT_LT(folds.FoldOfPair(a, b), 7);
    }
  }
}

TEST(LinkFoldsTest, LinksOfAPairGoTogetherOrApart) {
  const LinkFolds by_pair(4, 5);
  const LinkFolds by_link(4, 5, LinkFolds::Unit::kLink);
  int together[2] = {0, 0};
  std::vector<int> sizes(4, 0);
  for (NodeId node = 1; node <= 2000; ++node) {
    const Link link = {0, 1, node};
    for (const Link& other : {Link{0, 2, node}, Link{node, 1, 0}}) {
      EXPECT_EQ(by_pair.FoldOf(link), by_pair.FoldOf(other));
      const bool swapped = other.source == node;
      together[swapped] += by_link.FoldOf(link) == by_link.FoldOf(other);
      ++sizes[by_link.FoldOf(other)];
    }
  }
  for (const int count : together) EXPECT_NEAR(count, 500, 100);
  for (const int size : sizes) EXPECT_NEAR(size, 1000, 150);
}

TEST(LinkFoldsTest, FoldsAreOfLikeSize) {
  const LinkFolds folds(10, 1);
  std::vector<int> sizes(10, 0);
  for (NodeId a = 0; a < 200; ++a) {
    for (NodeId b = 0; b < a; ++b) ++sizes[folds.FoldOfPair(a, b)];
  }
  for (const int size : sizes) EXPECT_NEAR(size, 1990, 200);
}

TEST(LinkFoldsTest, SeedsSplitDifferently) {
  int same = 0;
  for (NodeId node = 0; node < 1000; ++node)
    same += LinkFolds(10, 1).FoldOfPair(0, node) ==
            LinkFolds(10, 2).FoldOfPair(0, node);
  EXPECT_LT(same, 200);
}

// Two graphs that number their nodes and relations differently.
TEST(LinkFoldsTest, ByKeyALinkHasOneFoldInEveryGraph) {
  GraphCatalogue one, other;
  for (int i = 0; i < 100; ++i) {
    const std::string key = absl::StrCat("n", i);
    one.nodes.push_back({key, key, 0});
    other.nodes.insert(other.nodes.begin(), {key, key, 0});
  }
  other.nodes.insert(other.nodes.begin() + 50, {"new", "new", 0});
  one.relations = {"likes", "knows"};
  other.relations = {"new", "knows", "likes"};
  const auto in_other = [](NodeId node) -> NodeId {
    return 99 - node + (99 - node >= 50 ? 1 : 0);
  };
  for (const auto unit : {LinkFolds::Unit::kPair, LinkFolds::Unit::kLink}) {
    const LinkFolds first = LinkFolds::ByKey(6, 1, unit, one);
    const LinkFolds second = LinkFolds::ByKey(6, 1, unit, other);
    std::vector<int> count(6);
    for (NodeId a = 0; a < 100; ++a) {
      for (NodeId b = 0; b < 100; ++b) {
        const int fold = first.FoldOf({a, 0, b});
        EXPECT_EQ(fold, second.FoldOf({in_other(a), 2, in_other(b)}));
        ++count[fold];
        if (unit == LinkFolds::Unit::kPair) {
          EXPECT_EQ(fold, first.FoldOf({b, 1, a}));
        }
      }
    }
    for (const int links : count) EXPECT_NEAR(links, 10000 / 6, 250);
  }
}

}  // namespace
}  // namespace slice
