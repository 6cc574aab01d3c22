// The result of a context strategy: nodes between the ends of a link. Each
// strategy declares its search function in a file of its own. ContextGenerator
// turns the nodes into a context.
#ifndef SLICE_CONTEXT_NODES_BETWEEN_H_
#define SLICE_CONTEXT_NODES_BETWEEN_H_

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "graphstore/types.h"

namespace slice {

// The nodes of a context without its two ends, in the order in which they were
// chosen. They are distinct, and none of them is an end.
struct NodesBetween {
  std::vector<NodeId> nodes;
  int hops = -1;           // of the shortest path seen; -1 when none was seen
  bool truncated = false;  // the search sampled a hub or stopped at a bound

  // Forgets the nodes and keeps the memory.
  void Clear() {
    nodes.clear();
    hops = -1;
    truncated = false;
  }

  bool Contains(NodeId node) const {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  }

  // Adds the inner nodes of a path that are not yet in `nodes`. Adds none of
  // them if `nodes` would then hold more than `room` nodes.
  void AddPath(std::span<const NodeId> inner, size_t room) {
    const size_t before = nodes.size();
    for (const NodeId node : inner) {
      if (!Contains(node)) nodes.push_back(node);
    }
    if (nodes.size() > room) nodes.resize(before);
  }
};

}  // namespace slice

#endif  // SLICE_CONTEXT_NODES_BETWEEN_H_
