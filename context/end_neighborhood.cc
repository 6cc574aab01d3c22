#include "context/end_neighborhood.h"

namespace slice {

// Indexing a neighbour costs less than a quarter of a search.
constexpr size_t kIndexedPerLookup = 4;

void EndNeighborhood::Open(const GraphView& view, NodeId node, size_t lookups) {
  for (const NodeId node : indexed_nodes_) shown_.EraseNear(node);
  indexed_nodes_.clear();
  view_ = &view;
  node_ = node;
  neighbors_ = view.Neighbors(node);
  indexed_ = degree() <= kIndexedPerLookup * lookups;
  if (indexed_) IndexNeighbors();
}

void EndNeighborhood::IndexNeighbors() {
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
  indexed_nodes_.assign(all.begin(), all.end());
  for (const uint32_t position : neighbors_->hidden_positions()) {
    shown_.Erase(all[position]);
  }
}

}  // namespace slice
