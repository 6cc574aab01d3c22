// One side of a search that grows from both ends of a link.
#ifndef SLICE_CONTEXT_SEARCH_SIDE_H_
#define SLICE_CONTEXT_SEARCH_SIDE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/node_bits.h"
#include "graphstore/types.h"

namespace slice {

// A node on a shortest path, as seen from one side.
struct PathTrace {
  int64_t cost = 0;         // SpecificityCost() of the node
  int64_t best = 0;         // cost of the cheapest way to the end, the node
                            // included
  int32_t first_step = -1;  // its first step towards the end; -1: none recorded
};

// The nodes seen from one end. A position is an index into `nodes`; the end is
// at position 0.
struct SearchSide {
  std::vector<NodeId> nodes;  // by level: hops from the end
  std::vector<size_t> level_start;
  // A lower bound of the number of arcs of the last level: all arcs of the
  // positions below `counted`, and one for each other node (the arc that the
  // search reached it by).
  uint64_t volume = 0;
  size_t counted = 0;
  NodeBits seen;
  NodeBits on_path;               // by position in `nodes`
  std::vector<uint32_t> trail;    // positions on_path, parents after children
  std::vector<PathTrace> traces;  // by position, valid where on_path

  int level() const { return static_cast<int>(level_start.size()) - 1; }
  size_t LevelEnd(int level) const {
    return level < this->level() ? level_start[level + 1] : nodes.size();
  }
  int LevelOf(uint32_t position) const {
    int level = this->level();
    // It is the last level in most cases.
    while (position < level_start[level]) --level;
    return level;
  }
  // Whether the node at `position` is more than one hop from the end.
  bool IsFar(uint32_t position) const {
    return level_start.size() > 2 && position >= level_start[2];
  }
  size_t frontier_size() const { return nodes.size() - level_start.back(); }
};

}  // namespace slice

#endif  // SLICE_CONTEXT_SEARCH_SIDE_H_
