#include "context/khop_nodes.h"

#include <gtest/gtest.h>

#include "tests/context/brute_paths.h"

namespace slice {
namespace {

// Hops of every node to the nearer end, and which ends are that near.
std::vector<std::pair<int, int>> HopsToEnds(
    const std::vector<std::set<NodeId>>& neighbors, const Link& link) {
  std::vector<std::pair<int, int>> hops(neighbors.size(), {-1, 0});
  std::set<NodeId> reached[2] = {{link.source}, {link.target}};
  for (int hop = 0; hop <= 8; ++hop) {
    for (int end = 0; end < 2; ++end) {
      for (const NodeId node : reached[end]) {
        auto& [nearest, ends] = hops[node];
        if (nearest < 0) nearest = hop;
        if (nearest == hop) ends |= 1 << end;
      }
      std::set<NodeId> next = reached[end];
      for (const NodeId node : reached[end]) {
        next.insert(neighbors[node].begin(), neighbors[node].end());
      }
      reached[end] = next;
    }
  }
  return hops;
}

TEST(FindKhopNodes, TakesTheNearestFirstAndOfTheseWhatBothEndsReach) {
  ForEachHidingCase({}, 5, 20, [&](const HidingCase& test) {
    const auto neighbors =
        NeighborSets(VisibleLinkList(test), test.snapshot->node_count());
    const auto hops = HopsToEnds(neighbors, test.query);
    for (const int max_hops : {1, 2}) {
      std::vector<std::pair<int, int>> all;
      for (NodeId node = 0; node < hops.size(); ++node) {
        const auto [nearest, ends] = hops[node];
        if (nearest < 1 || nearest > max_hops) continue;
        all.emplace_back(nearest, ends == 3 ? 0 : 1);
      }
      std::sort(all.begin(), all.end());
      for (const size_t room : {4, 62}) {
        const NodesBetween between = FindKhopNodes(
            test.View(), {max_hops, 500, 1 << 30}, test.query, 7, room);
        std::vector<std::pair<int, int>> got;
        for (const NodeId node : between.nodes) {
          got.emplace_back(hops[node].first, hops[node].second == 3 ? 0 : 1);
        }
        auto expected = all;
        expected.resize(std::min(expected.size(), room));
        EXPECT_EQ(got, expected) << test.hiding;
        EXPECT_EQ(
            std::set<NodeId>(between.nodes.begin(), between.nodes.end()).size(),
            between.nodes.size());
      }
    }
  });
}

TEST(FindKhopNodes, DrawsEvenly) {
  GraphData data;
  data.catalogue.relations = {"r"};
  data.catalogue.node_types = {"node"};
  for (int i = 0; i < 12; ++i) {
    data.catalogue.nodes.push_back(
        {.key = "n" + std::to_string(i), .name = "", .type = 0});
  }
  for (NodeId node = 2; node < 12; ++node) data.links.push_back({0, 0, node});
  const auto graph = BuildSnapshotOrDie(data);
  std::vector<int> drawn(12, 0);
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    for (const NodeId node :
         FindKhopNodes(GraphView(*graph), {}, {0, 0, 1}, seed, 3).nodes) {
      ++drawn[node];
    }
  }
  for (NodeId node = 2; node < 12; ++node) EXPECT_NEAR(drawn[node], 600, 100);
}

}  // namespace
}  // namespace slice
