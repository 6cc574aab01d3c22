// The visible graph as typed walks see it: every arc has a label, by which a
// metapath chooses where to go.
#ifndef SLICE_TRAINER_METHODS_WALKS_LABELLED_WALK_GRAPH_H_
#define SLICE_TRAINER_METHODS_WALKS_LABELLED_WALK_GRAPH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// What the label of an arc says: the type of the node it leads to, as in
// metapath2vec, or, where all nodes are of one type, its relation and direction
// (2 r along a link of relation r, 2 r + 1 against it).
enum class WalkLabels : uint8_t { kNodeTypes, kRelations };

// Immutable; thread-safe. Self loops are left out, and of parallel arcs with
// one label all but one.
class LabelledWalkGraph {
 public:
  // By node types where there are several.
  explicit LabelledWalkGraph(const GraphView& view);

  WalkLabels labels() const { return labels_; }
  size_t label_count() const { return label_count_; }
  size_t node_count() const { return row_start_.size() - 1; }

  // The neighbours of `node` by arcs with `label`, ascending. O(log of the
  // node's labels).
  std::span<const NodeId> Neighbors(NodeId node, uint32_t label) const;
  // Those by all arcs; a neighbour by several labels is there several times.
  std::span<const NodeId> Neighbors(NodeId node) const {
    return {neighbors_.data() + row_start_[node],
            neighbors_.data() + row_start_[node + 1]};
  }
  // Calls visit(label, std::span<const NodeId>) for each label of `node`.
  template <typename Visit>
  void ForEachLabel(NodeId node, Visit visit) const {
    for (uint64_t at = slot_start_[node]; at < slot_start_[node + 1]; ++at) {
      visit(slots_[at].label, SlotNeighbors(at));
    }
  }

  // With labels that are types: that of a node.
  uint32_t TypeOf(NodeId node) const { return types_[node]; }
  // The label of the same arc from its other end. REQUIRES: relations.
  static uint32_t Reversed(uint32_t label) { return label ^ 1; }

  std::vector<NodeId> LinkedNodes() const;

 private:
  // The arcs of one node by one label; they end where the next slot begins.
  struct Slot {
    uint32_t label;
    uint64_t begin;
  };

  std::span<const NodeId> SlotNeighbors(uint64_t slot) const {
    return {neighbors_.data() + slots_[slot].begin,
            neighbors_.data() + slots_[slot + 1].begin};
  }

  const WalkLabels labels_;
  size_t label_count_ = 0;
  std::vector<uint32_t> types_;             // [nodes], with types
  std::vector<uint64_t> row_start_ = {0};   // [nodes + 1]
  std::vector<NodeId> neighbors_;           // by node and label, ascending
  std::vector<uint64_t> slot_start_ = {0};  // [nodes + 1], into slots_
  std::vector<Slot> slots_;                 // one more behind
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_LABELLED_WALK_GRAPH_H_
