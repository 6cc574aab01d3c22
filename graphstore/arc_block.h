// Rows of arcs, as compressed sparse rows.
#ifndef SLICE_GRAPHSTORE_ARC_BLOCK_H_
#define SLICE_GRAPHSTORE_ARC_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graphstore/graph_data.h"
#include "graphstore/types.h"

namespace slice {

// The arcs of one node in one direction: parallel arrays, sorted by (relation,
// neighbor).
struct ArcSpan {
  std::span<const NodeId> neighbors;
  std::span<const RelationId> relations;
  // The weights of the links, finite and above 0; empty when all links of the
  // graph have weight 1.
  std::span<const float> weights = {};

  size_t size() const { return neighbors.size(); }
  float Weight(size_t i) const { return weights.empty() ? 1.0f : weights[i]; }
};

// Rows of arcs, one after the other.
class ArcBlock {
 public:
  ArcBlock() = default;
  // The rows of all nodes in one direction, by id. Takes links in any order. A
  // link that occurs several times becomes one arc with the largest of its
  // weights. REQUIRES: every node of a link is in the catalogue.
  ArcBlock(const GraphData& data, Direction direction);

  // Appends the next row. REQUIRES: the arcs are sorted by (relation, neighbor)
  // and distinct; all rows of a block have weights, or none has.
  void Append(const ArcSpan& arcs);
  // Call it once, after the last row.
  void Finish();

  uint64_t arc_count() const { return neighbors_.size(); }
  bool has_weights() const { return !weights_.empty(); }

  ArcSpan Arcs(size_t row) const {
    const uint64_t begin = row_start_[row];
    const uint64_t count = row_start_[row + 1] - begin;
    return {{neighbors_.data() + begin, count},
            {relations_.data() + begin, count},
            {weights_.data() + (has_weights() ? begin : 0),
             has_weights() ? count : 0}};
  }

  // The neighbours by one relation. The binary search has no branch per step,
  // because no processor could predict such a branch.
  std::span<const NodeId> Neighbors(size_t row, RelationId relation) const {
    auto slot = slots_.begin() + static_cast<ptrdiff_t>(slot_start_[row]);
    size_t left = slot_start_[row + 1] - slot_start_[row];
    if (left == 0) return {};
    while (left > 1) {
      const size_t half = left / 2;
      slot += half * ((slot + half - 1)->relation < relation);
      left -= half;
    }
    if (slot->relation != relation) return {};
    return SlotNeighbors(slot);
  }

  void PrefetchSlotStart(size_t row) const {
    __builtin_prefetch(slot_start_.data() + row);
  }
  void PrefetchSlots(size_t row) const {
    __builtin_prefetch(slots_.data() + slot_start_[row]);
  }

  template <typename Visit>
  void ForEachSlot(size_t row, Visit visit) const {
    const auto end = slots_.begin() + slot_start_[row + 1];
    for (auto slot = slots_.begin() + slot_start_[row]; slot != end; ++slot) {
      visit(static_cast<RelationId>(slot->relation), SlotNeighbors(slot));
    }
  }

 private:
  // The arcs of one row by one relation. They end where the next slot begins.
  struct Slot {
    uint64_t begin : 48;  // into the arcs of all rows
    uint64_t relation : 16;
  };

  std::span<const NodeId> SlotNeighbors(
      std::vector<Slot>::const_iterator slot) const {
    return {neighbors_.data() + slot->begin, (slot + 1)->begin - slot->begin};
  }
  void AppendRow(std::span<const uint64_t> arcs);
  void AppendWeightedRow(std::span<uint64_t> arcs,
                         std::span<const float> weights);

  std::vector<uint64_t> row_start_ = {0};   // [rows + 1]
  std::vector<NodeId> neighbors_;           // [arcs]
  std::vector<RelationId> relations_;       // [arcs]
  std::vector<float> weights_;              // [arcs], or empty
  std::vector<uint64_t> slot_start_ = {0};  // [rows + 1], into slots_
  // By row, then relation. The last element only marks the end of the arcs.
  std::vector<Slot> slots_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ARC_BLOCK_H_
