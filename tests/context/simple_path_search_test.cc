#include "context/simple_path_search.h"

#include <gtest/gtest.h>

#include "tests/context/brute_paths.h"

namespace slice {
namespace {

constexpr RandomMultigraphOptions kSmall = {
    .nodes = 16, .links = 40, .hubs = 1, .isolated = 1};
constexpr PathSearchLimits kUnbounded = {6, 500, 1 << 30};

TEST(SimplePathSearch, FindsExactlyThePathsOfEachLength) {
  size_t found = 0;
  ForEachHidingCase(kSmall, 6, 6, [&](const HidingCase& test) {
    if (test.query.source == test.query.target) return;
    const auto neighbors =
        NeighborSets(VisibleLinkList(test), test.snapshot->node_count());
    const GraphView view = test.View();
    SimplePathSearch search(view, kUnbounded, test.query.source,
                            test.query.target);
    for (int hops = 2; hops <= 5; ++hops) {
      auto expected = BrutePaths(
          test.snapshot->node_count(), test.query, hops,
          [&](int, NodeId a, NodeId b) { return neighbors[a].contains(b); });
      SortBySpecificity(neighbors, expected);
      const auto paths = search.OfLength(hops);
      ASSERT_EQ(paths.size(), expected.size()) << test.hiding << " " << hops;
      for (size_t i = 0; i < paths.size(); ++i) {
        EXPECT_EQ(paths[i].inner, expected[i]);
      }
      found += paths.size();
    }
    EXPECT_FALSE(search.truncated());
  });
  EXPECT_GT(found, 1000u);
}

TEST(FindSimplePathNodes, FillsTheRoomShortestFirst) {
  int longer = 0;
  ForEachHidingCase(kSmall, 6, 10, [&](const HidingCase& test) {
    if (test.query.source == test.query.target) return;
    const auto neighbors =
        NeighborSets(VisibleLinkList(test), test.snapshot->node_count());
    for (const size_t room : {0, 1, 3, 6}) {
      std::vector<NodeId> expected;
      int first = -1;
      for (int hops = 2; hops <= 4; ++hops) {
        auto paths = BrutePaths(
            test.snapshot->node_count(), test.query, hops,
            [&](int, NodeId a, NodeId b) { return neighbors[a].contains(b); });
        SortBySpecificity(neighbors, paths);
        for (const auto& path : paths) {
          if (first < 0) first = hops;
          std::vector<NodeId> with = expected;
          for (const NodeId node : path) {
            if (std::count(with.begin(), with.end(), node) == 0) {
              with.push_back(node);
            }
          }
          if (with.size() > room) continue;
          longer += hops > first && with.size() > expected.size();
          expected = with;
        }
      }
      const NodesBetween between =
          FindSimplePathNodes(test.View(), {4, 500, 1 << 30}, test.query, room);
      EXPECT_EQ(between.nodes, expected);
      EXPECT_EQ(between.hops, first);
      EXPECT_FALSE(between.truncated);
    }
  });
  EXPECT_GT(longer, 50);
}

TEST(FindSimplePathNodes, SaysWhatABoundCutOff) {
  int truncated = 0;
  ForEachHidingCase({}, 2, 10, [&](const HidingCase& test) {
    if (test.query.source == test.query.target) return;
    for (const PathSearchLimits limits :
         {PathSearchLimits{4, 500, 20}, PathSearchLimits{4, 3, 1 << 30}}) {
      truncated +=
          FindSimplePathNodes(test.View(), limits, test.query, 30).truncated;
    }
  });
  EXPECT_GT(truncated, 100);
}

}  // namespace
}  // namespace slice
