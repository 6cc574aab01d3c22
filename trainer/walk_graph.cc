#include "trainer/walk_graph.h"

#include <algorithm>

namespace slice {

WalkGraph::WalkGraph(const GraphView& view) {
  const size_t nodes = view.node_count();
  row_start_.reserve(nodes + 1);
  row_start_.push_back(0);
  for (NodeId node = 0; node < nodes; ++node) {
    view.Neighbors(node).ForEach(
        [&](NodeId neighbor) { neighbors_.push_back(neighbor); });
    row_start_.push_back(neighbors_.size());
  }
  neighbors_.shrink_to_fit();
}

bool WalkGraph::AreNeighbors(NodeId a, NodeId b) const {
  if (Degree(a) > Degree(b)) std::swap(a, b);
  const std::span<const NodeId> row = Neighbors(a);
  return std::binary_search(row.begin(), row.end(), b);
}

std::vector<NodeId> WalkGraph::LinkedNodes() const {
  std::vector<NodeId> linked;
  for (NodeId node = 0; node < node_count(); ++node) {
    if (Degree(node) > 0) linked.push_back(node);
  }
  return linked;
}

}  // namespace slice
