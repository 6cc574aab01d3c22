// Rows of arcs, as compressed sparse rows.
#ifndef SLICE_GRAPHSTORE_ARC_BLOCK_H_
#define SLICE_GRAPHSTORE_ARC_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/prefetch.h"
#include "graphstore/packed_bytes.h"
#include "graphstore/types.h"

namespace slice {

// The arcs of one node in one direction: parallel arrays, sorted by (relation,
// neighbor).
struct ArcSpan {
  std::span<const NodeId> neighbors;
  std::span<const RelationId> relations;
  // The weights of the links, finite and above 0; empty when all of them are 1.
  std::span<const float> weights = {};

  size_t size() const { return neighbors.size(); }
  float Weight(size_t i) const { return weights.empty() ? 1.0f : weights[i]; }
};

// Rows of arcs, one after the other. ArcBlockBuilder makes it.
class ArcBlock {
 public:
  // The arcs of one row by one relation. They end where the next slot begins.
  struct Slot {
    uint64_t begin : 48;  // into the arcs of all rows
    uint64_t relation : 16;
  };
  struct Arrays {
    std::vector<uint64_t> row_start = {0};   // [rows + 1]
    std::vector<uint64_t> slot_start = {0};  // [rows + 1], into slots
    // By row, then relation. The last element only marks the end of the arcs.
    std::vector<Slot> slots;
    std::vector<float> weights;         // [arcs], or empty
    std::vector<NodeId> neighbors;      // [arcs]
    std::vector<RelationId> relations;  // [arcs]
  };

  // Keeps the arrays.
  explicit ArcBlock(std::unique_ptr<const Arrays> arrays);
  // Copies the arrays into one allocation: for few rows.
  explicit ArcBlock(const Arrays& arrays);

  uint64_t arc_count() const { return arc_count_; }
  bool has_weights() const { return weights_ != nullptr; }

  ArcSpan Arcs(size_t row) const {
    const uint64_t begin = row_start_[row];
    const uint64_t count = row_start_[row + 1] - begin;
    return {{neighbors_ + begin, count},
            {relations_ + begin, count},
            {has_weights() ? weights_ + begin : nullptr,
             has_weights() ? count : 0}};
  }

  // The neighbours by one relation. The binary search has no branch per step,
  // because no processor could predict such a branch.
  std::span<const NodeId> Neighbors(size_t row, RelationId relation) const {
    const Slot* slot = slots_ + slot_start_[row];
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
    PrefetchToRead(slot_start_ + row);
  }
  void PrefetchSlots(size_t row) const {
    PrefetchToRead(slots_ + slot_start_[row]);
  }

  template <typename Visit>
  void ForEachSlot(size_t row, Visit visit) const {
    const Slot* const end = slots_ + slot_start_[row + 1];
    for (const Slot* slot = slots_ + slot_start_[row]; slot != end; ++slot)
      visit(static_cast<RelationId>(slot->relation), SlotNeighbors(slot));
  }

 private:
  std::span<const NodeId> SlotNeighbors(const Slot* slot) const {
    return {neighbors_ + slot->begin, (slot + 1)->begin - slot->begin};
  }

  // As in Arrays.
  const uint64_t* row_start_ = nullptr;
  const uint64_t* slot_start_ = nullptr;
  const Slot* slots_ = nullptr;
  const float* weights_ = nullptr;  // null: no weights
  const NodeId* neighbors_ = nullptr;
  const RelationId* relations_ = nullptr;
  uint64_t arc_count_ = 0;
  // What holds them: one or the other.
  std::unique_ptr<const Arrays> arrays_;
  PackedBytes packed_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ARC_BLOCK_H_
