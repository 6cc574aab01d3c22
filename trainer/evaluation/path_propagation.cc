#include "trainer/evaluation/path_propagation.h"

namespace slice {

std::vector<double> PropagateThreePaths(const GraphView& view, NodeId source) {
  std::vector<double> arrived(view.node_count(), 0.0);
  std::vector<NodeId> reached;
  view.Neighbors(source).ForEach([&](NodeId x) {
    const NeighborList neighbors = view.Neighbors(x);
    const double share = 1 / static_cast<double>(neighbors.size());
    neighbors.ForEach([&](NodeId y) {
      if (y == source) return;
      if (arrived[y] == 0) reached.push_back(y);
      arrived[y] += share;
    });
  });
  std::vector<double> weights(view.node_count(), 0.0);
  for (const NodeId y : reached) {
    const NeighborList neighbors = view.Neighbors(y);
    const double share = arrived[y] / static_cast<double>(neighbors.size());
    neighbors.ForEach([&](NodeId v) { weights[v] += share; });
  }
  return weights;
}

}  // namespace slice
