// The neighbours of one end of a link and how they are linked to it, for many
// quick lookups.
#ifndef SLICE_CONTEXT_END_NEIGHBORHOOD_H_
#define SLICE_CONTEXT_END_NEIGHBORHOOD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// Thread-compatible; keeps its scratch memory (4 bytes and a bit per node of
// the graph) from one end to the next.
class EndNeighborhood {
 public:
  // Turns to `node` of `view`, which must outlive the lookups. The links of a
  // node are noted once when that is cheaper than about `lookups` searches.
  void Open(const GraphView& view, NodeId node, size_t lookups);

  const NeighborList& neighbors() const { return *neighbors_; }
  size_t degree() const { return neighbors_->size(); }

  bool Contains(NodeId node) const {
    if (!noted_) return neighbors_->Contains(node);
    return (shown_[node / 64] >> (node % 64)) & 1;
  }

  // Calls visit(int32_t) with each signed relation from the end to `node`, in
  // no particular order, until it returns true; whether it did.
  // REQUIRES: Contains(node).
  template <typename Visit>
  bool AnyRelation(NodeId node, Visit visit) const {
    if (noted_) {
      for (int32_t at = last_note_[node]; at >= 0; at = notes_[at].previous) {
        if (visit(notes_[at].relation)) return true;
      }
      return false;
    }
    for (const Arc& arc : view_->ArcsBetween(node_, node)) {
      if (visit(SignedRelation(arc.relation, arc.direction))) return true;
    }
    return false;
  }

 private:
  struct Note {
    NodeId neighbor;
    int32_t relation;
    int32_t previous;  // of the same neighbour; -1 ends the list
  };

  void NoteLinks();

  const GraphView* view_ = nullptr;
  NodeId node_ = kNoNode;
  std::optional<NeighborList> neighbors_;
  bool noted_ = false;
  // A bit per node, set for those noted: small enough to stay in the cache,
  // for most questions are about nodes that are no neighbours.
  std::vector<uint64_t> shown_;
  std::vector<int32_t> last_note_;  // [nodes], into notes_; where shown
  std::vector<Note> notes_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_END_NEIGHBORHOOD_H_
