// What a search from both ends of a link knows on one of its sides.
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
  int64_t cost = 0;         // of the node itself
  int64_t best = 0;         // cheapest way to the end, the node included
  int32_t first_step = -1;  // of the search: its parents on shortest paths
};

// The nodes seen from one end.
struct SearchSide {
  std::vector<NodeId> nodes;  // seen from here, by level
  std::vector<size_t> level_start;
  // At least the arcs of the last level: those of positions below `counted`,
  // and one for each other node, by which it was reached.
  uint64_t volume = 0;
  size_t counted = 0;
  NodeBits seen;
  NodeBits on_path;               // by position in `nodes`
  std::vector<uint32_t> trail;    // those on_path, parents after children
  std::vector<PathTrace> traces;  // by position, where on_path

  int level() const { return static_cast<int>(level_start.size()) - 1; }
  size_t LevelEnd(int level) const {
    return level < this->level() ? level_start[level + 1] : nodes.size();
  }
  int LevelOf(uint32_t position) const {
    int level = this->level();
    // As a rule it is the last one.
    while (position < level_start[level]) --level;
    return level;
  }
  // Whether a node is more than one hop from the end.
  bool IsFar(uint32_t position) const {
    return level_start.size() > 2 && position >= level_start[2];
  }
  size_t frontier_size() const { return nodes.size() - level_start.back(); }
};

}  // namespace slice

#endif  // SLICE_CONTEXT_SEARCH_SIDE_H_
