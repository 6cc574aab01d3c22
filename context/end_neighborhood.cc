#include "context/end_neighborhood.h"

namespace slice {

// Noting a link costs about a quarter of a search.
constexpr size_t kNotesPerLookup = 4;

void EndNeighborhood::Open(const GraphView& view, NodeId node, size_t lookups) {
  view_ = &view;
  node_ = node;
  neighbors_ = view.Neighbors(node);
  noted_ = degree() <= kNotesPerLookup * lookups;
  if (noted_) NoteLinks();
}

void EndNeighborhood::NoteLinks() {
  for (const Note& note : notes_) shown_[note.neighbor / 64] = 0;
  notes_.clear();
  if (last_note_.size() < view_->node_count()) {
    last_note_.resize(view_->node_count());
    shown_.resize(view_->node_count() / 64 + 1);
  }
  view_->ForEachArc(node_, [this](const Arc& arc) {
    const NodeId neighbor = arc.neighbor;
    if (neighbor == node_) return;
    uint64_t& word = shown_[neighbor / 64];
    const uint64_t bit = uint64_t{1} << (neighbor % 64);
    const int32_t previous = (word & bit) != 0 ? last_note_[neighbor] : -1;
    word |= bit;
    last_note_[neighbor] = static_cast<int32_t>(notes_.size());
    notes_.push_back(
        {neighbor, SignedRelation(arc.relation, arc.direction), previous});
  });
}

}  // namespace slice
