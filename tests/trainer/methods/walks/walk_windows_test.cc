#include "trainer/methods/walks/walk_windows.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::ElementsAre;

// Draws 100, 101, ..., and writes down for which context nodes.
struct CountingNoise {
  NodeId operator()(NodeId context) {
    asked->push_back(context);
    return 99 + static_cast<NodeId>(asked->size());
  }

  std::vector<NodeId>* asked;
};

TEST(WalkWindowsTest, AWindowEndsWhereTheWalkEnds) {
  const std::vector<NodeId> walk = {7, 8, 9, 5};
  std::vector<NodeId> asked;
  WalkWindows windows;
  const WindowSize size = {.reach = 2, .negatives = 2};
  AddWindow(walk, 0, 70, size, CountingNoise{&asked}, windows);
  AddWindow(walk, 2, 90, size, CountingNoise{&asked}, windows);
  EXPECT_THAT(windows.centres, ElementsAre(70, 90));
  EXPECT_THAT(windows.context_counts, ElementsAre(2, 3));
  EXPECT_THAT(windows.NodesOf(0), ElementsAre(8, 9, 100, 101, 102, 103));
  EXPECT_THAT(windows.NodesOf(1),
              ElementsAre(7, 8, 5, 104, 105, 106, 107, 108, 109));
  EXPECT_THAT(asked, ElementsAre(8, 8, 9, 9, 7, 7, 8, 8, 5, 5));
  EXPECT_EQ(windows.Contexts(), 5u);
  EXPECT_THAT(windows.WindowOfNodes(),
              ElementsAre(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1));
}

TEST(WalkWindowsTest, NoiseThatIsInTheWindowIsLeftOut) {
  const std::vector<NodeId> walk = {1, 2, 3, 4};
  NodeId next = 0;
  WalkWindows windows;
  AddWindow(
      walk, 1, 2, {.reach = 1, .negatives = 3}, [&](NodeId) { return next++; },
      windows);
  // Of the noise 0, 1, ..., 5 the window has 1, 2 and 3.
  EXPECT_THAT(windows.NodesOf(0), ElementsAre(1, 3, 0, 4, 5));
}

}  // namespace
}  // namespace slice
