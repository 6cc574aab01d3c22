// One side of a search that grows from both ends of a link.
#ifndef SLICE_CONTEXT_SEARCH_SIDE_H_
#define SLICE_CONTEXT_SEARCH_SIDE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/node_bits.h"
#include "graphstore/types.h"

namespace slice {

// What one side knows of a node on a shortest path.
struct PathTrace {
  int64_t cost = 0;  // SpecificityCost() of the node
  int64_t best = 0;  // cost of the cheapest way to the end, node included
  // The first one of the node's steps towards the end (ShortestPaths::Step); -1
  // when none is recorded.
  int32_t first_step = -1;
};

// The nodes seen from one end. A position is an index into `nodes`; the end is
// at position 0.
struct SearchSide {
  std::vector<NodeId> nodes;  // by level; the level is the hops from the end
  std::vector<size_t> level_start;  // [levels]: the first position of each
  // A lower bound of the number of arcs of the last level. Nodes at positions
  // below `counted` add all their arcs. Every other node adds one: the arc by
  // which the search reached it.
  uint64_t volume = 0;
  size_t counted = 0;
  NodeBits seen;                  // the nodes of `nodes`
  NodeBits on_path;               // positions of nodes on a shortest path
  std::vector<uint32_t> trail;    // the same positions, parents after children
  std::vector<PathTrace> traces;  // by position, valid where on_path

  int level() const { return static_cast<int>(level_start.size()) - 1; }
  size_t LevelEnd(int level) const {
    return level < this->level() ? level_start[level + 1] : nodes.size();
  }
  int LevelOf(uint32_t position) const {
    int level = this->level();
    // Most positions belong to the last level.
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
