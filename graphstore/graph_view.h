// How everything reads a graph: a snapshot with some arcs hidden.
//
// Contexts, features, walks and negatives take a view and never a snapshot, so
// that hiding cannot be forgotten. Whatever is computed from a view equals what
// would be computed on a graph rebuilt without the hidden links (tested).
//
//   GraphView view(snapshot);
//   view.HidePair(link.source, link.target);   // strict: every arc between the
//   two ends
#ifndef SLICE_GRAPHSTORE_GRAPH_VIEW_H_
#define SLICE_GRAPHSTORE_GRAPH_VIEW_H_

#include <cstdint>
#include <span>
#include <vector>

#include "graphstore/graph_snapshot.h"
#include "graphstore/link_folds.h"
#include "graphstore/types.h"

namespace slice {

// The visible distinct neighbours of one node, ascending; indexable without
// copying, so that a hub can be sampled by index. Valid while the view and its
// snapshot live and the view is not changed.
class NeighborList {
 public:
  NeighborList(std::span<const NodeId> all,
               std::vector<uint32_t> hidden_positions)
      : all_(all), hidden_(std::move(hidden_positions)) {}

  size_t size() const { return all_.size() - hidden_.size(); }
  bool empty() const { return size() == 0; }

  // The i-th visible neighbour. O(1) when nothing is hidden, else O(log
  // hidden).
  NodeId operator[](size_t i) const;

  bool Contains(NodeId node) const;

  // Calls visit(NodeId) for each visible neighbour, ascending.
  template <typename Visit>
  void ForEach(Visit visit) const {
    size_t next = 0;
    for (uint32_t position = 0; position < all_.size(); ++position) {
      if (next < hidden_.size() && hidden_[next] == position) {
        ++next;
      } else {
        visit(all_[position]);
      }
    }
  }

 private:
  std::span<const NodeId> all_;
  std::vector<uint32_t>
      hidden_;  // positions in all_, ascending; empty for almost every node
};

// Cheap to make and to copy (hiding costs O(degree of the hidden ends) at
// most). Thread-compatible: one view per query; const methods may be called
// from several threads.
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
  // Hides every link whose fold (of `folds`, which must outlive the view) is
  // `fold`. Costs a lookup per arc afterwards: meant for whole-graph passes
  // such as walks, not for single queries.
  void HideFold(const LinkFolds* folds, int fold);

  const GraphSnapshot& snapshot() const { return *snapshot_; }
  size_t node_count() const { return snapshot_->node_count(); }

  // Whether one arc, as seen from `node`, is visible. REQUIRES: the arc is in
  // the snapshot.
  bool IsVisible(NodeId node, const Arc& arc) const;

  bool HasLink(const Link& link) const;
  bool AreNeighbors(NodeId a, NodeId b) const;

  // Visible distinct neighbours over all relations and both directions, itself
  // left out.
  NeighborList Neighbors(NodeId node) const;
  size_t NeighborCount(NodeId node) const;

  // Visible arcs of `node` with `relation` in `direction` (its slot degree),
  // self loops counted.
  size_t SlotDegree(NodeId node, RelationId relation,
                    Direction direction) const;
  // Visible arcs of `node`, both directions; a self loop counts twice.
  size_t ArcCount(NodeId node) const;

  // Calls visit(const Arc&) for the visible arcs of `node`: out then in, each
  // by (relation, neighbor).
  template <typename Visit>
  void ForEachArc(NodeId node, Visit visit) const;

  // The visible arcs from `a` to `b`, out then in, by relation.
  std::vector<Arc> ArcsBetween(NodeId a, NodeId b) const;

 private:
  struct HiddenPair {
    NodeId a, b;
  };
  struct HiddenSlot {
    NodeId source;
    RelationId relation;
  };
  // A node all of whose hidden distinct neighbours are known.
  struct ChangedNode {
    NodeId node;
    std::vector<NodeId> hidden_neighbors;
  };

  bool IsLinkHidden(const Link& link) const;
  void Refresh(NodeId node);

  const GraphSnapshot* snapshot_;
  std::vector<HiddenPair> pairs_;
  std::vector<Link> links_;
  std::vector<HiddenSlot> slots_;
  const LinkFolds* folds_ = nullptr;
  int hidden_fold_ = -1;
  std::vector<ChangedNode>
      changed_;  // the ends of every hidden pair and link, and slot sources
};

template <typename Visit>
void GraphView::ForEachArc(NodeId node, Visit visit) const {
  for (Direction direction : {Direction::kOut, Direction::kIn}) {
    const ArcSpan arcs = snapshot_->Arcs(node, direction);
    for (size_t i = 0; i < arcs.size(); ++i) {
      const Arc arc{arcs.neighbors[i], arcs.relations[i], direction};
      if (IsVisible(node, arc)) visit(arc);
    }
  }
}

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_VIEW_H_
