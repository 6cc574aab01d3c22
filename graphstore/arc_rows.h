// The arcs of all nodes in one direction, as compressed sparse rows, in
// versions that share the rows that did not change.
#ifndef SLICE_GRAPHSTORE_ARC_ROWS_H_
#define SLICE_GRAPHSTORE_ARC_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "graphstore/arc_block.h"
#include "graphstore/graph_data.h"
#include "graphstore/row_table.h"
#include "graphstore/types.h"

namespace slice {

// An arc to be added to the row of a node, or to be removed from it.
struct ArcChange {
  NodeId node = 0;
  RelationId relation = 0;
  NodeId neighbor = 0;
  bool removed = false;
  float weight = 1;  // of an arc to be added

  static bool Before(const ArcChange& a, const ArcChange& b) {
    return std::tie(a.node, a.relation, a.neighbor) <
           std::tie(b.node, b.relation, b.neighbor);
  }
  static bool SameArc(const ArcChange& a, const ArcChange& b) {
    return !Before(a, b) && !Before(b, a);
  }
};

// The rows of all nodes in one direction. Immutable; thread-safe.
class ArcRows {
 public:
  ArcRows() = default;
  // See AllArcs.
  ArcRows(const GraphData& data, Direction direction);

  uint64_t arc_count() const { return arc_count_; }
  bool has_weights() const { return has_weights_; }

  ArcSpan Arcs(NodeId node) const {
    const auto [block, row] = rows_.Find(node);
    return block->Arcs(row);
  }

  // The neighbours by one relation, ascending. O(log r) for a node with arcs of
  // r relations.
  std::span<const NodeId> Neighbors(NodeId node, RelationId relation) const {
    const auto [block, row] = rows_.Find(node);
    return block->Neighbors(row, relation);
  }

  // Fetch the slots of a node into the cache ahead of their use. PrefetchSlots
  // reads what PrefetchSlotStart fetches, so first call PrefetchSlotStart for
  // several nodes, then PrefetchSlots for each.
  void PrefetchSlotStart(NodeId node) const {
    const auto [block, row] = rows_.Find(node);
    block->PrefetchSlotStart(row);
  }
  void PrefetchSlots(NodeId node) const {
    const auto [block, row] = rows_.Find(node);
    block->PrefetchSlots(row);
  }

  // Calls visit(RelationId, std::span<const NodeId>) for each relation of
  // `node`, ascending, with the neighbours by that relation, ascending.
  template <typename Visit>
  void ForEachSlot(NodeId node, Visit visit) const {
    const auto [block, row] = rows_.Find(node);
    block->ForEachSlot(row, visit);
  }

  // The rows after changes. `changes` are sorted by (node, relation, neighbor),
  // one for each arc. An arc that is there and is added gets the new weight; to
  // remove an arc that is not there changes nothing. Nodes from the old number
  // of nodes up to `node_count` start without arcs.
  ArcRows With(std::span<const ArcChange> changes, size_t old_node_count,
               size_t node_count) const;

  // See RowTable::OffBase.
  ArcRows OffBase(size_t node_count, size_t most_pages) const;

 private:
  RowTable<ArcBlock> rows_;
  uint64_t arc_count_ = 0;
  bool has_weights_ = false;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ARC_ROWS_H_
