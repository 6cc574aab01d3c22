#include "graphstore/neighbor_rows.h"

#include <algorithm>

namespace slice {
namespace {

// (neighbor, direction, relation) as one integer that sorts like the triple.
uint64_t PackArc(NodeId neighbor, Direction direction, RelationId relation) {
  return (uint64_t{neighbor} << 32) | (static_cast<uint64_t>(direction) << 16) |
         relation;
}

NodeId NeighborOf(uint64_t arc) { return static_cast<NodeId>(arc >> 32); }

int32_t SignedRelationOf(uint64_t arc) {
  return SignedRelation(static_cast<RelationId>(arc),
                        static_cast<Direction>((arc >> 16) & 1));
}

}  // namespace

NeighborRows::NeighborRows(const ArcRows& out, const ArcRows& in,
                           size_t node_count)
    : self_loops_(node_count / 64 + 1) {
  row_start_.reserve(node_count + 1);
  several_start_.reserve(node_count);
  std::vector<uint64_t> arcs;
  for (size_t i = 0; i < node_count; ++i) {
    const auto node = static_cast<NodeId>(i);
    arcs.clear();
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const ArcSpan row = (direction == Direction::kOut ? out : in).Arcs(node);
      for (size_t at = 0; at < row.size(); ++at) {
        arcs.push_back(
            PackArc(row.neighbors[at], direction, row.relations[at]));
      }
    }
    const auto loops = std::partition(
        arcs.begin(), arcs.end(),
        [node](uint64_t arc) { return NeighborOf(arc) != node; });
    if (loops != arcs.end()) self_loops_[i / 64] |= uint64_t{1} << (i % 64);
    arcs.erase(loops, arcs.end());
    std::sort(arcs.begin(), arcs.end());
    AppendRow(arcs);
  }
  neighbors_.shrink_to_fit();
  codes_.shrink_to_fit();
  several_.shrink_to_fit();
}

void NeighborRows::AppendRow(std::span<const uint64_t> arcs) {
  several_start_.push_back(several_.size());
  for (size_t begin = 0, end = 0; begin < arcs.size(); begin = end) {
    while (end < arcs.size() &&
           NeighborOf(arcs[end]) == NeighborOf(arcs[begin])) {
      ++end;
    }
    neighbors_.push_back(NeighborOf(arcs[begin]));
    if (end - begin == 1) {
      codes_.push_back(SignedRelationOf(arcs[begin]));
      continue;
    }
    codes_.push_back(kSeveral + static_cast<int32_t>(several_.size() -
                                                     several_start_.back()));
    several_.push_back(static_cast<int32_t>(end - begin));
    for (size_t at = begin; at < end; ++at) {
      several_.push_back(SignedRelationOf(arcs[at]));
    }
  }
  row_start_.push_back(neighbors_.size());
}

}  // namespace slice
