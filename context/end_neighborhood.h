// Tells which nodes are neighbours of one end of a link, and by which
// relations. Made for many lookups per end.
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
  // Makes `node` the end that all other methods are about. `view` must outlive
  // the lookups. Builds an index of the neighbours when that costs less than
  // `lookups` searches in the row of neighbours.
  void Open(const GraphView& view, NodeId node, size_t lookups);

  const NeighborList& neighbors() const { return *neighbors_; }
  size_t degree() const { return neighbors_->size(); }

  bool Contains(NodeId node) const {
    if (!indexed_) return neighbors_->Contains(node);
    return shown_.Contains(node);
  }

  // The set that Contains() reads, or null when there is no index and
  // Contains() searches the row of neighbours.
  const NodeBits* index() const { return indexed_ ? &shown_ : nullptr; }

  // Calls visit(int32_t) with the signed relation of each visible link from the
  // end to `node`, in no particular order, until visit returns true. Returns
  // whether it returned true. REQUIRES: Contains(node).
  template <typename Visit>
  bool AnyRelation(NodeId node, Visit visit) const {
    if (!indexed_) return AnyRelationSearched(node, visit);
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
  void IndexNeighbors();

  const GraphView* view_ = nullptr;
  NodeId node_ = kNoNode;
  std::optional<NeighborList> neighbors_;
  bool indexed_ = false;
  NodeBits shown_;                     // the visible neighbours, when indexed
  std::vector<NodeId> indexed_nodes_;  // the nodes to remove from the index
  // [nodes]: position in the end's row of neighbours, valid for the visible
  // ones.
  std::vector<uint32_t> positions_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_END_NEIGHBORHOOD_H_
