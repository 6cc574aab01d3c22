// What a context strategy finds between the ends of a link. One file per
// strategy implements one of the functions declared at its side; the
// ContextGenerator turns the nodes into a context.
#ifndef SLICE_CONTEXT_STRATEGY_NODES_H_
#define SLICE_CONTEXT_STRATEGY_NODES_H_

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graphstore/types.h"

namespace slice {

// The nodes of a context but the two ends, in the order in which they were
// chosen: distinct, none of them an end.
struct NodesBetween {
  std::vector<NodeId> nodes;
  int hops = -1;           // of the shortest path seen; -1: none
  bool truncated = false;  // a hub or a bound cut the search short

  // Forgets everything but its memory.
  void Clear() {
    nodes.clear();
    hops = -1;
    truncated = false;
  }

  bool Contains(NodeId node) const {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  }

  // Adds the inner nodes of a path if those that are new fit whole into
  // `room`.
  void AddPath(std::span<const NodeId> inner, size_t room) {
    const size_t before = nodes.size();
    for (const NodeId node : inner) {
      if (!Contains(node)) nodes.push_back(node);
    }
    if (nodes.size() > room) nodes.resize(before);
  }
};

// A path between two ends: its inner nodes from source to target, and the sum
// of SpecificityCost over them. The most specific path is the smallest.
struct PathBetween {
  int64_t cost = 0;
  std::vector<NodeId> inner;

  auto operator<=>(const PathBetween&) const = default;
};

// What a path through a node of so many neighbours costs: log(degree + 1) in
// fixed point, so that sums are exact in any order and equal paths tie.
int64_t SpecificityCost(size_t degree);

}  // namespace slice

#endif  // SLICE_CONTEXT_STRATEGY_NODES_H_
