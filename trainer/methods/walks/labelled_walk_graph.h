// The visible graph as typed walks see it: every arc has a label, by which a
// metapath chooses the next node.
#ifndef SLICE_TRAINER_METHODS_WALKS_LABELLED_WALK_GRAPH_H_
#define SLICE_TRAINER_METHODS_WALKS_LABELLED_WALK_GRAPH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// The label of an arc is the type of the node that it leads to, as in
// metapath2vec. When all nodes have one type, the label is the relation and the
// direction instead: 2 r along a link of relation r, 2 r + 1 against it.
enum class WalkLabels : uint8_t { kNodeTypes, kRelations };

// The arcs of each node by label. Self loops are left out, and parallel arcs
// with the same label count as one. Immutable; thread-safe.
class LabelledWalkGraph {
 public:
  // Labels arcs by node type when the graph has several types.
  explicit LabelledWalkGraph(const GraphView& view);

  WalkLabels labels() const { return labels_; }
  size_t label_count() const { return label_count_; }
  size_t node_count() const { return row_start_.size() - 1; }

  // The neighbours of `node` by arcs with `label`, ascending. O(log of the
  // number of labels at the node).
  std::span<const NodeId> Neighbors(NodeId node, uint32_t label) const;
  // The neighbours of `node` by all arcs. A neighbour with several labels is
  // listed once for each.
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

  // The type of `node`. REQUIRES: labels() is kNodeTypes.
  uint32_t TypeOf(NodeId node) const { return types_[node]; }
  // The label of the same arc seen from its other end. REQUIRES: labels() is
  // kRelations.
  static uint32_t Reversed(uint32_t label) { return label ^ 1; }

  // The nodes with at least one arc, ascending.
  std::vector<NodeId> LinkedNodes() const;

 private:
  // The arcs of one node with one label. They end where the next slot begins.
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
  std::vector<uint32_t> types_;            // [nodes]; empty with kRelations
  std::vector<uint64_t> row_start_ = {0};  // [nodes + 1]
  // Grouped by node, then by label; each group ascending.
  std::vector<NodeId> neighbors_;
  std::vector<uint64_t> slot_start_ = {0};  // [nodes + 1], into slots_
  std::vector<Slot> slots_;  // one more at the end, where the last slot ends
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_LABELLED_WALK_GRAPH_H_
