// The neighbours of one end of a link and how they are linked to it, for many
// quick lookups.
#ifndef SLICE_CONTEXT_END_NEIGHBORHOOD_H_
#define SLICE_CONTEXT_END_NEIGHBORHOOD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "context/node_bits.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// Thread-compatible; keeps its scratch memory (4 bytes and a bit per node of
// the graph) from one end to the next.
class EndNeighborhood {
 public:
  // Turns to `node` of `view`, which must outlive the lookups. The neighbours
  // of a node are noted once when that is cheaper than about `lookups`
  // searches.
  void Open(const GraphView& view, NodeId node, size_t lookups);

  const NeighborList& neighbors() const { return *neighbors_; }
  size_t degree() const { return neighbors_->size(); }

  bool Contains(NodeId node) const {
    if (!noted_) return neighbors_->Contains(node);
    return shown_.Contains(node);
  }

  // What Contains() looks up, or null when it searches.
  const NodeBits* noted() const { return noted_ ? &shown_ : nullptr; }

  // Calls visit(int32_t) with each signed relation from the end to `node`, in
  // no particular order, until it returns true; whether it did.
  // REQUIRES: Contains(node).
  template <typename Visit>
  bool AnyRelation(NodeId node, Visit visit) const {
    if (!noted_) return AnyRelationSearched(node, visit);
    const auto relations =
        view_->snapshot().neighbor_rows().Relations(node_, positions_[node]);
    for (size_t i = relations.size(); i > 0; --i) {
      const int32_t relation = relations[i - 1];
      const Arc arc{node, RelationOfSigned(relation),
                    DirectionOfSigned(relation)};
      if (view_->IsVisible(node_, arc) && visit(relation)) return true;
    }
    return false;
  }

 private:
  template <typename Visit>
  bool AnyRelationSearched(NodeId node, Visit visit) const {
    bool done = false;
    view_->ForEachArcBetween(
        node_, node, [&](RelationId relation, Direction direction) {
          done = done || visit(SignedRelation(relation, direction));
        });
    return done;
  }
  void NoteNeighbors();

  const GraphView* view_ = nullptr;
  NodeId node_ = kNoNode;
  std::optional<NeighborList> neighbors_;
  bool noted_ = false;
  NodeBits shown_;                   // those noted and visible
  std::vector<NodeId> noted_nodes_;  // to forget
  std::vector<uint32_t> positions_;  // [nodes], in the end's row; where shown
};

}  // namespace slice

#endif  // SLICE_CONTEXT_END_NEIGHBORHOOD_H_
