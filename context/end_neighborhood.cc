#include "context/end_neighborhood.h"

namespace slice {

// Noting a neighbour costs less than a quarter of a search.
constexpr size_t kNotesPerLookup = 4;

void EndNeighborhood::Open(const GraphView& view, NodeId node, size_t lookups) {
  for (const NodeId noted : noted_nodes_) shown_.EraseNear(noted);
  noted_nodes_.clear();
  view_ = &view;
  node_ = node;
  neighbors_ = view.Neighbors(node);
  noted_ = degree() <= kNotesPerLookup * lookups;
  if (noted_) NoteNeighbors();
}

void EndNeighborhood::NoteNeighbors() {
  const std::span<const NodeId> all =
      view_->snapshot().DistinctNeighbors(node_);
  if (positions_.size() < view_->node_count()) {
    positions_.resize(view_->node_count());
    shown_.Reserve(view_->node_count());
  }
  for (size_t position = 0; position < all.size(); ++position) {
    shown_.Insert(all[position]);
    positions_[all[position]] = static_cast<uint32_t>(position);
  }
  noted_nodes_.assign(all.begin(), all.end());
  for (const uint32_t position : neighbors_->hidden_positions()) {
    shown_.Erase(all[position]);
  }
}

}  // namespace slice
