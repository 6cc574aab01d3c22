// The arcs of all nodes in one direction, as compressed sparse rows.
#ifndef SLICE_GRAPHSTORE_ARC_ROWS_H_
#define SLICE_GRAPHSTORE_ARC_ROWS_H_

#include <algorithm>
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

// Immutable; thread-safe.
class ArcRows {
 public:
  ArcRows() = default;
  // Takes links in any order. A link that occurs several times becomes one arc
  // with the largest of its weights. REQUIRES: every node of a link is in the
  // catalogue.
  ArcRows(const GraphData& data, Direction direction);

  uint64_t arc_count() const { return neighbors_.size(); }
  bool has_weights() const { return !weights_.empty(); }

  ArcSpan Arcs(NodeId node) const {
    const uint64_t begin = row_start_[node];
    const uint64_t count = row_start_[node + 1] - begin;
    return {{neighbors_.data() + begin, count},
            {relations_.data() + begin, count},
            {weights_.data() + (has_weights() ? begin : 0),
             has_weights() ? count : 0}};
  }

  // The neighbours by one relation, ascending. O(log r) for a node with arcs of
  // r relations. The binary search has no branch per step, because no processor
  // could predict such a branch.
  std::span<const NodeId> Neighbors(NodeId node, RelationId relation) const {
    auto slot = slots_.begin() + static_cast<ptrdiff_t>(slot_start_[node]);
    size_t left = slot_start_[node + 1] - slot_start_[node];
    if (left == 0) return {};
    while (left > 1) {
      const size_t half = left / 2;
      slot += half * ((slot + half - 1)->relation < relation);
      left -= half;
    }
    if (slot->relation != relation) return {};
    return SlotNeighbors(slot);
  }

  // Fetch the slots of a node into the cache ahead of their use. PrefetchSlots
  // reads what PrefetchSlotStart fetches, so first call PrefetchSlotStart for
  // several nodes, then PrefetchSlots for each.
  void PrefetchSlotStart(NodeId node) const {
    __builtin_prefetch(slot_start_.data() + node);
  }
  void PrefetchSlots(NodeId node) const {
    __builtin_prefetch(slots_.data() + slot_start_[node]);
  }

  // Calls visit(RelationId, std::span<const NodeId>) for each relation of
  // `node`, ascending, with the neighbours by that relation, ascending.
  template <typename Visit>
  void ForEachSlot(NodeId node, Visit visit) const {
    const auto end = slots_.begin() + slot_start_[node + 1];
    for (auto slot = slots_.begin() + slot_start_[node]; slot != end; ++slot) {
      visit(static_cast<RelationId>(slot->relation), SlotNeighbors(slot));
    }
  }

 private:
  // The arcs of one node by one relation. They end where the next slot begins.
  struct Slot {
    uint64_t begin : 48;  // into the arcs of all nodes
    uint64_t relation : 16;
  };

  std::span<const NodeId> SlotNeighbors(
      std::vector<Slot>::const_iterator slot) const {
    return {neighbors_.data() + slot->begin, (slot + 1)->begin - slot->begin};
  }
  void AppendRow(std::span<const uint64_t> arcs);
  void AppendWeightedRow(std::span<uint64_t> arcs,
                         std::span<const float> weights);
  void FindSlots();

  std::vector<uint64_t> row_start_ = {0};   // [nodes + 1]
  std::vector<NodeId> neighbors_;           // [arcs]
  std::vector<RelationId> relations_;       // [arcs]
  std::vector<float> weights_;              // [arcs], or empty
  std::vector<uint64_t> slot_start_ = {0};  // [nodes + 1], into slots_
  // By node, then relation. The last element only marks the end of the arcs.
  std::vector<Slot> slots_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ARC_ROWS_H_
