#include "trainer/methods/messages/message_graph.h"

#include <algorithm>

namespace slice {

MessageGraph::MessageGraph(const GraphSnapshot& snapshot,
                           const MessageGraphOptions& options)
    : has_self_arcs_(options.self_arcs),
      has_labelled_sources_(options.labelled_sources) {
  const size_t labels = options.relations ? 2 * snapshot.relation_count() : 1;
  label_count_ = static_cast<uint32_t>(labels + (has_self_arcs_ ? 1 : 0));
  row_start_.reserve(snapshot.node_count() + 1);
  types_.reserve(snapshot.node_count());
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    types_.push_back(snapshot.Type(node));
    if (!options.relations) {
      for (const NodeId neighbor : snapshot.DistinctNeighbors(node)) {
        arcs_.push_back({neighbor, 0});
      }
      row_start_.push_back(arcs_.size());
      continue;
    }
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const uint32_t against = direction == Direction::kOut ? 1 : 0;
      const ArcSpan arcs = snapshot.Arcs(node, direction);
      for (size_t i = 0; i < arcs.size(); ++i) {
        if (arcs.neighbors[i] == node) continue;
        arcs_.push_back(
            {arcs.neighbors[i], 2 * uint32_t{arcs.relations[i]} + against});
      }
    }
    std::sort(arcs_.begin() + static_cast<ptrdiff_t>(row_start_.back()),
              arcs_.end());
    row_start_.push_back(arcs_.size());
  }
}

size_t MessageGraph::CountVisible(NodeId node,
                                  const HiddenLinks& hidden) const {
  const std::span<const MessageArc> arcs = Arcs(node);
  if (hidden.folds == nullptr) return arcs.size();
  return static_cast<size_t>(
      std::count_if(arcs.begin(), arcs.end(), [&](const MessageArc& arc) {
        return !hidden.Hides(node, arc.neighbor);
      }));
}

}  // namespace slice
