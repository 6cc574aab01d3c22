// A snapshot with some arcs hidden. Contexts, features, walks and negatives
// read a graph only through a view, so that hiding cannot be forgotten. A view
// answers like a graph that was rebuilt without the hidden links (tested).
//
//   GraphView view(snapshot);
//   view.HidePair(link.source, link.target);  // all links between the ends
#ifndef SLICE_GRAPHSTORE_GRAPH_VIEW_H_
#define SLICE_GRAPHSTORE_GRAPH_VIEW_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/hidden_arcs.h"
#include "graphstore/link_folds.h"
#include "graphstore/neighbor_list.h"
#include "graphstore/types.h"

namespace slice {

// Cheap to make and to copy; hiding costs at most O(degree of the hidden ends).
// Thread-compatible: one view per query. Const methods may be called from
// several threads.
class GraphView {
 public:
  // Shows all of `snapshot`, which must outlive the view.
  explicit GraphView(const GraphSnapshot& snapshot) : snapshot_(&snapshot) {}

  // Hides every arc between two nodes, in all relations and both directions.
  void HidePair(NodeId a, NodeId b);
  // Hides exactly one link.
  void HideLink(const Link& link);
  // Hides all links of `relation` whose source is `source`.
  void HideRelationAtSource(NodeId source, RelationId relation);
  // Hides every link of one fold, for passes over the whole graph, such as
  // walks. Each arc read then costs a hash. REQUIRES: `folds` outlives the
  // view, and its unit is kPair.
  void HideFold(const LinkFolds* folds, int fold);

  const GraphSnapshot& snapshot() const { return *snapshot_; }
  size_t node_count() const { return snapshot_->node_count(); }

  // Whether one arc, as seen from `node`, is visible. REQUIRES: the arc is in
  // the snapshot.
  bool IsVisible(NodeId node, const Arc& arc) const {
    return !IsHidden(AsLink(node, arc));
  }

  // True only when no arc of `node` is hidden. Cheap, but may be false for a
  // node that shows all arcs: nodes share the bits of a mask.
  bool HasAllArcs(NodeId node) const {
    return (changed_mask_ & MaskOf(node)) == 0 && slots_.empty() &&
           folds_ == nullptr;
  }

  bool HasLink(const Link& link) const;
  // Whether a visible link joins two different nodes.
  bool AreNeighbors(NodeId a, NodeId b) const;

  // The distinct visible neighbours of `node` over all relations and both
  // directions, without the node itself.
  NeighborList Neighbors(NodeId node) const {
    return HasAllArcs(node)
               ? NeighborList(snapshot_->DistinctNeighbors(node), {})
               : VisibleNeighbors(node);
  }
  size_t NeighborCount(NodeId node) const {
    return HasAllArcs(node) ? snapshot_->DistinctNeighbors(node).size()
                            : CountVisibleNeighbors(node);
  }

  // The number of visible links in a slot of `node`, self loops included.
  size_t SlotDegree(NodeId node, RelationId relation,
                    Direction direction) const;
  // The number of visible arcs of `node`. A self loop counts twice.
  size_t ArcCount(NodeId node) const;

  // Calls visit(const Arc&) for the visible arcs of `node`: outgoing ones
  // first, each by (relation, neighbor).
  template <typename Visit>
  void ForEachArc(NodeId node, Visit visit) const {
    for (Direction direction : {Direction::kOut, Direction::kIn}) {
      const ArcSpan arcs = snapshot_->Arcs(node, direction);
      for (size_t i = 0; i < arcs.size(); ++i) {
        const Arc arc{arcs.neighbors[i], arcs.relations[i], direction};
        if (IsVisible(node, arc)) visit(arc);
      }
    }
  }

  // The visible arcs from `a` to `b`, outgoing ones first, each by relation.
  std::vector<Arc> ArcsBetween(NodeId a, NodeId b) const;
  // Calls visit(RelationId, Direction) for ArcsBetween. REQUIRES: a != b.
  template <typename Visit>
  void ForEachArcBetween(NodeId a, NodeId b, Visit visit) const {
    snapshot_->ForEachArcBetween(a, b, [&](RelationId r, Direction direction) {
      if (IsVisible(a, {b, r, direction})) visit(r, direction);
    });
  }

 private:
  static Link AsLink(NodeId node, const Arc& arc) {
    return arc.direction == Direction::kOut
               ? Link{node, arc.relation, arc.neighbor}
               : Link{arc.neighbor, arc.relation, node};
  }
  static uint64_t MaskOf(NodeId node) { return uint64_t{1} << (node & 63); }

  bool IsFoldHidden(NodeId a, NodeId b) const {
    return folds_ != nullptr && folds_->FoldOfPair(a, b) == hidden_fold_;
  }
  bool IsHidden(const Link& link) const {
    if (IsFoldHidden(link.source, link.target)) return true;
    return (changed_mask_ & MaskOf(link.source)) != 0 &&
           !HasAllArcs(link.target) && IsLinkHidden(link);
  }
  bool IsLinkHidden(const Link& link) const;  // other than by its fold
  bool IsSlotHidden(NodeId source, RelationId relation) const;
  bool MayHideSelfLoops(NodeId node) const;
  NeighborList VisibleNeighbors(NodeId node) const;
  size_t CountVisibleNeighbors(NodeId node) const;
  bool IsNeighborHidden(NodeId node, NodeId neighbor) const;
  std::vector<NodeId> TargetsWhollyHidden(NodeId source,
                                          RelationId relation) const;
  const ChangedNode* FindChanged(NodeId node) const;
  ChangedNode* FindChanged(NodeId node) {
    return const_cast<ChangedNode*>(std::as_const(*this).FindChanged(node));
  }
  void AddChanged(NodeId node);
  void UpdatePair(NodeId a, NodeId b);
  template <typename Visit>
  void ForEachHiddenNeighbor(NodeId node, Visit visit) const;

  const GraphSnapshot* snapshot_;
  // All are sorted. Few entries need no memory besides the view itself.
  absl::InlinedVector<HiddenPair, 1> pairs_;
  absl::InlinedVector<Link, 1> links_;
  absl::InlinedVector<HiddenSlot, 1> slots_;
  absl::InlinedVector<ChangedNode, 2> changed_;  // by node
  uint64_t changed_mask_ = 0;                    // MaskOf all changed nodes
  const LinkFolds* folds_ = nullptr;
  int hidden_fold_ = -1;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_VIEW_H_
