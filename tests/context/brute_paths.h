// Every simple path of a few hops, from plain lists of links.
#ifndef SLICE_TESTS_CONTEXT_BRUTE_PATHS_H_
#define SLICE_TESTS_CONTEXT_BRUTE_PATHS_H_

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "tests/context/hidings.h"

namespace slice {

inline std::vector<Link> VisibleLinkList(const HidingCase& test) {
  std::set<Link> links;
  for (const Link& link : test.data.links) {
    if (!IsHiddenBy(test.hiding, test.query, link)) links.insert(link);
  }
  return {links.begin(), links.end()};
}

inline std::vector<std::set<NodeId>> NeighborSets(
    const std::vector<Link>& links, size_t nodes) {
  std::vector<std::set<NodeId>> neighbors(nodes);
  for (const Link& link : links) {
    if (link.source == link.target) continue;
    neighbors[link.source].insert(link.target);
    neighbors[link.target].insert(link.source);
  }
  return neighbors;
}

// All sequences of distinct inner nodes, none of them an end, for which
// `allowed(position, from, to)` accepts every step from source to target.
inline std::vector<std::vector<NodeId>> BrutePaths(
    size_t nodes, const Link& link, int hops,
    const std::function<bool(int, NodeId, NodeId)>& allowed) {
  std::vector<std::vector<NodeId>> paths = {{}};
  for (int step = 0; step + 1 < hops; ++step) {
    std::vector<std::vector<NodeId>> longer;
    for (const auto& path : paths) {
      const NodeId from = path.empty() ? link.source : path.back();
      for (NodeId node = 0; node < nodes; ++node) {
        if (node == link.source || node == link.target) continue;
        if (std::count(path.begin(), path.end(), node) > 0) continue;
        if (!allowed(step, from, node)) continue;
        longer.push_back(path);
        longer.back().push_back(node);
      }
    }
    paths = longer;
  }
  std::erase_if(paths, [&](const std::vector<NodeId>& path) {
    return !allowed(hops - 1, path.back(), link.target);
  });
  return paths;
}

// Orders paths by specificity (the sum of the logarithms of degrees), then by
// their nodes.
inline void SortBySpecificity(const std::vector<std::set<NodeId>>& neighbors,
                              std::vector<std::vector<NodeId>>& paths) {
  const auto cost = [&](const std::vector<NodeId>& path) {
    int64_t sum = 0;
    for (const NodeId node : path) {
      sum +=
          std::llround(std::log1p(double(neighbors[node].size())) * (1 << 20));
    }
    return sum;
  };
  std::sort(paths.begin(), paths.end(), [&](const auto& a, const auto& b) {
    return std::pair(cost(a), a) < std::pair(cost(b), b);
  });
}

}  // namespace slice

#endif  // SLICE_TESTS_CONTEXT_BRUTE_PATHS_H_
