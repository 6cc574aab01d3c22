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

void NeighborBlock::Append(NodeId node, const ArcSpan& out, const ArcSpan& in) {
  arcs_.clear();
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const ArcSpan& row = direction == Direction::kOut ? out : in;
    for (size_t at = 0; at < row.size(); ++at) {
      arcs_.push_back(PackArc(row.neighbors[at], direction, row.relations[at]));
    }
  }
  const auto loops =
      std::partition(arcs_.begin(), arcs_.end(),
                     [node](uint64_t arc) { return NeighborOf(arc) != node; });
  self_loops_.push_back(loops != arcs_.end());
  arcs_.erase(loops, arcs_.end());
  std::sort(arcs_.begin(), arcs_.end());
  AppendRow(arcs_);
}

void NeighborBlock::Finish() {
  arcs_ = {};
  neighbors_.shrink_to_fit();
  codes_.shrink_to_fit();
  several_.shrink_to_fit();
}

void NeighborBlock::AppendRow(std::span<const uint64_t> arcs) {
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

NeighborRows::NeighborRows(const ArcRows& out, const ArcRows& in,
                           size_t node_count) {
  auto block = std::make_shared<NeighborBlock>();
  for (NodeId node = 0; node < node_count; ++node) {
    block->Append(node, out.Arcs(node), in.Arcs(node));
  }
  block->Finish();
  rows_ = RowTable<NeighborBlock>(std::move(block));
}

NeighborRows NeighborRows::With(std::span<const NodeId> nodes,
                                const ArcRows& out, const ArcRows& in,
                                size_t node_count) const {
  auto block = std::make_shared<NeighborBlock>();
  for (const NodeId node : nodes) {
    block->Append(node, out.Arcs(node), in.Arcs(node));
  }
  block->Finish();
  NeighborRows changed;
  changed.rows_ = rows_.With(nodes, block, node_count);
  return changed;
}

}  // namespace slice
