#include "trainer/methods/walks/labelled_walk_graph.h"

#include <algorithm>
#include <utility>

namespace slice {

LabelledWalkGraph::LabelledWalkGraph(const GraphView& view)
    : labels_(view.snapshot().node_type_count() > 1 ? WalkLabels::kNodeTypes
                                                    : WalkLabels::kRelations) {
  const GraphSnapshot& snapshot = view.snapshot();
  const bool typed = labels_ == WalkLabels::kNodeTypes;
  label_count_ =
      typed ? snapshot.node_type_count() : 2 * snapshot.relation_count();
  const size_t nodes = snapshot.node_count();
  if (typed) {
    types_.resize(nodes);
    for (NodeId node = 0; node < nodes; ++node) {
      types_[node] = snapshot.Type(node);
    }
  }
  std::vector<std::pair<uint32_t, NodeId>> arcs;  // (label, neighbour)
  for (NodeId node = 0; node < nodes; ++node) {
    arcs.clear();
    view.ForEachArc(node, [&](const Arc& arc) {
      if (arc.neighbor == node) return;
      const uint32_t direction = arc.direction == Direction::kOut ? 0 : 1;
      arcs.emplace_back(
          typed ? types_[arc.neighbor] : 2 * arc.relation + direction,
          arc.neighbor);
    });
    std::sort(arcs.begin(), arcs.end());
    arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    for (size_t i = 0; i < arcs.size(); ++i) {
      if (i == 0 || arcs[i].first != arcs[i - 1].first) {
        slots_.push_back({arcs[i].first, neighbors_.size()});
      }
      neighbors_.push_back(arcs[i].second);
    }
    row_start_.push_back(neighbors_.size());
    slot_start_.push_back(slots_.size());
  }
  slots_.push_back({static_cast<uint32_t>(label_count_), neighbors_.size()});
}

std::span<const NodeId> LabelledWalkGraph::Neighbors(NodeId node,
                                                     uint32_t label) const {
  const auto begin = slots_.begin() + static_cast<ptrdiff_t>(slot_start_[node]);
  const auto end =
      slots_.begin() + static_cast<ptrdiff_t>(slot_start_[node + 1]);
  const auto found = std::lower_bound(
      begin, end, label,
      [](const Slot& slot, uint32_t wanted) { return slot.label < wanted; });
  if (found == end || found->label != label) return {};
  return SlotNeighbors(static_cast<uint64_t>(found - slots_.begin()));
}

std::vector<NodeId> LabelledWalkGraph::LinkedNodes() const {
  std::vector<NodeId> linked;
  for (NodeId node = 0; node < node_count(); ++node) {
    if (row_start_[node + 1] > row_start_[node]) linked.push_back(node);
  }
  return linked;
}

}  // namespace slice
