#include "graphstore/neighbor_block_builder.h"

#include <algorithm>
#include <utility>

namespace slice {
namespace {

// (neighbor, direction, relation) as one integer that sorts like the triple.
uint64_t Pack(NodeId neighbor, Direction direction, RelationId relation) {
  return (uint64_t{neighbor} << 32) | (static_cast<uint64_t>(direction) << 16) |
         relation;
}

NodeId NeighborOf(uint64_t arc) { return static_cast<NodeId>(arc >> 32); }

int32_t SignedRelationOf(uint64_t arc) {
  return SignedRelation(static_cast<RelationId>(arc),
                        static_cast<Direction>((arc >> 16) & 1));
}

}  // namespace

void NeighborBlockBuilder::Add(NodeId node, const ArcSpan& out,
                               const ArcSpan& in) {
  sorted_.clear();
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const ArcSpan& row = direction == Direction::kOut ? out : in;
    for (size_t at = 0; at < row.size(); ++at) {
      sorted_.push_back(Pack(row.neighbors[at], direction, row.relations[at]));
    }
  }
  const auto loops =
      std::partition(sorted_.begin(), sorted_.end(),
                     [node](uint64_t arc) { return NeighborOf(arc) != node; });
  const bool self_loop = loops != sorted_.end();
  sorted_.erase(loops, sorted_.end());
  std::sort(sorted_.begin(), sorted_.end());
  for (size_t begin = 0, end = 0; begin < sorted_.size(); begin = end) {
    while (end < sorted_.size() &&
           NeighborOf(sorted_[end]) == NeighborOf(sorted_[begin])) {
      ++end;
    }
    AddNeighbor(std::span(sorted_).subspan(begin, end - begin));
  }
  EndRow(self_loop);
}

void NeighborBlockBuilder::AddNeighbor(std::span<const uint64_t> arcs) {
  NeighborBlock::Arrays& arrays = *arrays_;
  arrays.neighbors.push_back(NeighborOf(arcs[0]));
  if (arcs.size() == 1) {
    arrays.codes.push_back(SignedRelationOf(arcs[0]));
    return;
  }
  const size_t position = arrays.several.size() - arrays.several_start.back();
  arrays.codes.push_back(NeighborBlock::kSeveral +
                         static_cast<int32_t>(position));
  arrays.several.push_back(static_cast<int32_t>(arcs.size()));
  for (const uint64_t arc : arcs)
    arrays.several.push_back(SignedRelationOf(arc));
}

void NeighborBlockBuilder::Add(const NeighborBlock& block, size_t row) {
  NeighborBlock::Arrays& arrays = *arrays_;
  const auto copy = [row](auto& to, const auto* from, const uint64_t* start) {
    to.insert(to.end(), from + start[row], from + start[row + 1]);
  };
  copy(arrays.neighbors, block.neighbors_, block.row_start_);
  copy(arrays.codes, block.codes_, block.row_start_);
  copy(arrays.several, block.several_, block.several_start_);
  EndRow(block.HasSelfLoop(row));
}

void NeighborBlockBuilder::EndRow(bool self_loop) {
  arrays_->row_start.push_back(arrays_->neighbors.size());
  arrays_->several_start.push_back(arrays_->several.size());
  arrays_->self_loops.push_back(self_loop);
}

std::shared_ptr<const NeighborBlock> NeighborBlockBuilder::Build() {
  auto block = std::make_shared<const NeighborBlock>(std::as_const(*arrays_));
  arrays_->row_start.resize(1);
  arrays_->several_start.resize(1);
  arrays_->neighbors.clear();
  arrays_->codes.clear();
  arrays_->several.clear();
  arrays_->self_loops.clear();
  return block;
}

std::shared_ptr<const NeighborBlock> NeighborBlockBuilder::BuildLarge() {
  arrays_->neighbors.shrink_to_fit();
  arrays_->codes.shrink_to_fit();
  arrays_->several.shrink_to_fit();
  return std::make_shared<const NeighborBlock>(std::move(arrays_));
}

}  // namespace slice
