#include "context/end_neighborhood.h"

#include <algorithm>

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
  if (marks_.size() < view_->node_count()) marks_.resize(view_->node_count());
  if (++epoch_ == 0) {  // wrapped: old marks could be taken for new ones
    std::fill(marks_.begin(), marks_.end(), Mark());
    epoch_ = 1;
  }
  notes_.clear();
  view_->ForEachArc(node_, [this](const Arc& arc) {
    if (arc.neighbor == node_) return;
    Mark& mark = marks_[arc.neighbor];
    const int32_t previous = mark.epoch == epoch_ ? mark.last : -1;
    mark = {epoch_, static_cast<int32_t>(notes_.size())};
    notes_.push_back({SignedRelation(arc.relation, arc.direction), previous});
  });
}

}  // namespace slice
