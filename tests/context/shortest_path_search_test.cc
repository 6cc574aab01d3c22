#include "context/shortest_path_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

using Path = std::vector<NodeId>;

std::vector<std::set<NodeId>> UndirectedNeighbors(const GraphData& data) {
  std::vector<std::set<NodeId>> neighbors(data.catalogue.nodes.size());
  for (const Link& link : data.links) {
    if (link.source == link.target) continue;
    neighbors[link.source].insert(link.target);
    neighbors[link.target].insert(link.source);
  }
  return neighbors;
}

// All simple paths of exactly `hops` hops, by plain depth-first search.
void ListPaths(const std::vector<std::set<NodeId>>& neighbors, NodeId target,
               int hops, Path& path, std::vector<Path>& found) {
  if (hops == 1) {
    if (neighbors[path.back()].contains(target)) {
      found.emplace_back(path.begin() + 1, path.end());
    }
    return;
  }
  for (const NodeId next : neighbors[path.back()]) {
    if (next == target) continue;
    if (std::find(path.begin(), path.end(), next) != path.end()) continue;
    path.push_back(next);
    ListPaths(neighbors, target, hops - 1, path, found);
    path.pop_back();
  }
}

std::vector<Path> ShortestByBruteForce(const GraphData& data, NodeId source,
                                       NodeId target, int max_hops) {
  const auto neighbors = UndirectedNeighbors(data);
  std::vector<Path> found;
  for (int hops = 2; hops <= max_hops && found.empty(); ++hops) {
    Path path = {source};
    ListPaths(neighbors, target, hops, path, found);
  }
  return found;
}

std::vector<Path> AllPaths(ShortestPathSearch& search) {
  std::vector<Path> paths;
  for (Path inner; search.Next(inner);) paths.push_back(inner);
  return paths;
}

double Cost(const GraphSnapshot& graph, const Path& inner) {
  double cost = 0;
  for (const NodeId node : inner) {
    cost += std::log1p(graph.DistinctNeighbors(node).size());
  }
  return cost;
}

// A sparse ring with chords: paths of up to five hops, many of them equal.
GraphData SparseGraph(uint64_t seed) {
  RandomMultigraphOptions options;
  options.nodes = 60;
  options.links = 110;
  options.hubs = 0;
  options.hub_rate = 0;
  return RandomMultigraph(options, seed);
}

TEST(ShortestPathSearch, FindsExactlyTheShortestPaths) {
  ShortestPathSearch search;
  int long_paths = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const GraphData data = SparseGraph(seed);
    const auto snapshot = BuildSnapshotOrDie(data);
    const GraphView view(*snapshot);
    for (NodeId source = 0; source < 60; source += 7) {
      for (NodeId target = 1; target < 60; target += 5) {
        if (source == target) continue;
        std::vector<Path> expected =
            ShortestByBruteForce(data, source, target, 5);
        const int hops = search.Find(view, {.max_hops = 5}, source, target);
        std::vector<Path> paths = AllPaths(search);
        EXPECT_FALSE(search.truncated());
        EXPECT_EQ(hops, expected.empty()
                            ? -1
                            : static_cast<int>(expected[0].size()) + 1);
        std::sort(paths.begin(), paths.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(paths, expected);
        long_paths += hops >= 4;
      }
    }
  }
  EXPECT_GT(long_paths, 100);  // both sides had to be traced back
}

TEST(ShortestPathSearch, GivesTheMostSpecificPathsFirst) {
  ShortestPathSearch search;
  size_t compared = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto snapshot = BuildSnapshotOrDie(SparseGraph(seed));
    const GraphView view(*snapshot);
    for (NodeId source = 0; source < 30; ++source) {
      if (search.Find(view, {}, source, 59 - source) < 0) continue;
      const std::vector<Path> paths = AllPaths(search);
      for (size_t i = 1; i < paths.size(); ++i, ++compared) {
        EXPECT_LE(Cost(*snapshot, paths[i - 1]),
                  Cost(*snapshot, paths[i]) + 1e-4);
      }
    }
  }
  EXPECT_GT(compared, 100u);
}

// source 0 and target 1 joined over `middles` nodes, each with a few leaves.
GraphData Star(NodeId middles) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"to"};
  const auto add_node = [&] {
    const size_t id = data.catalogue.nodes.size();
    data.catalogue.nodes.push_back({"n" + std::to_string(id), "", 0});
    return static_cast<NodeId>(id);
  };
  add_node();
  add_node();
  for (NodeId i = 0; i < middles; ++i) {
    const NodeId middle = add_node();
    data.links.push_back({0, 0, middle});
    data.links.push_back({middle, 0, 1});
  }
  return data;
}

TEST(ShortestPathSearch, BreaksTiesByIds) {
  const auto snapshot = BuildSnapshotOrDie(Star(5));
  ShortestPathSearch search;
  EXPECT_EQ(search.Find(GraphView(*snapshot), {}, 0, 1), 2);
  EXPECT_EQ(AllPaths(search), (std::vector<Path>{{2}, {3}, {4}, {5}, {6}}));
}

TEST(ShortestPathSearch, GivesAtMost256Paths) {
  const auto snapshot = BuildSnapshotOrDie(Star(400));
  ShortestPathSearch search;
  EXPECT_EQ(search.Find(GraphView(*snapshot), {}, 0, 1), 2);
  EXPECT_EQ(AllPaths(search).size(), 256u);
}

TEST(ShortestPathSearch, LeavesTheDirectLinkAside) {
  GraphData data = Star(1);
  data.links.push_back({0, 0, 1});
  const auto snapshot = BuildSnapshotOrDie(data);
  ShortestPathSearch search;
  EXPECT_EQ(search.Find(GraphView(*snapshot), {}, 0, 1), 2);
  EXPECT_EQ(AllPaths(search), (std::vector<Path>{{2}}));
}

TEST(ShortestPathSearch, SeesNothingBeyondMaxHops) {
  GraphData data = Star(0);
  for (int i = 0; i < 4; ++i) {
    data.catalogue.nodes.push_back({"extra" + std::to_string(i), "", 0});
  }
  data.links = {{0, 0, 2}, {2, 0, 3}, {3, 0, 4}, {4, 0, 1}};  // 4 hops
  const auto snapshot = BuildSnapshotOrDie(data);
  const GraphView view(*snapshot);
  ShortestPathSearch search;
  EXPECT_EQ(search.Find(view, {.max_hops = 3}, 0, 1), -1);
  EXPECT_TRUE(AllPaths(search).empty());
  EXPECT_EQ(search.Find(view, {.max_hops = 4}, 0, 1), 4);
  EXPECT_EQ(search.Find(view, {.max_hops = 6}, 0, 5), -1);  // isolated
}

TEST(ShortestPathSearch, FindsTheWayThroughAHubPastItsSample) {
  // Node 1 has 10,000 neighbours; only the last of them leads on to node 0.
  GraphData data = Star(10000);
  data.links.clear();
  for (NodeId leaf = 2; leaf < 10002; ++leaf)
    data.links.push_back({1, 0, leaf});
  data.links.push_back({10001, 0, 0});
  const auto snapshot = BuildSnapshotOrDie(data);
  ShortestPathSearch search;
  EXPECT_EQ(search.Find(GraphView(*snapshot), {.max_degree = 10}, 1, 0), 2);
  EXPECT_EQ(AllPaths(search), (std::vector<Path>{{10001}}));
}

TEST(ShortestPathSearch, StopsAtMaxExpandedArcs) {
  RandomMultigraphOptions options;
  options.nodes = 5000;
  options.links = 10000;
  options.hubs = 0;
  options.hub_rate = 0;
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph(options, 3));
  const GraphView view(*snapshot);
  ShortestPathSearch search;
  int truncated = 0;
  for (NodeId source = 0; source < 100; ++source) {
    search.Find(view, {.max_expanded_arcs = 20}, source, source + 2000);
    truncated += search.truncated();
  }
  EXPECT_GT(truncated, 50);
}

TEST(ShortestPathSearch, ForgetsTheSearchBefore) {
  const GraphData data = SparseGraph(1);
  const auto snapshot = BuildSnapshotOrDie(data);
  const GraphView view(*snapshot);
  ShortestPathSearch reused;
  for (NodeId source = 0; source < 50; ++source) {
    ShortestPathSearch fresh;
    const NodeId target = (source * 7 + 3) % 60;
    if (source == target) continue;
    EXPECT_EQ(reused.Find(view, {}, source, target),
              fresh.Find(view, {}, source, target));
    EXPECT_EQ(AllPaths(reused), AllPaths(fresh));
  }
}

}  // namespace
}  // namespace slice
