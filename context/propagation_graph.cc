#include "context/propagation_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace slice {

PropagationGraph::PropagationGraph(const GraphSnapshot& snapshot)
    : snapshot_(&snapshot) {
  const size_t nodes = snapshot.node_count();
  struct Pending {
    NodeId neighbor;
    size_t begin, end;
  };
  std::vector<Pending> pending;
  std::vector<std::pair<NodeId, int32_t>> arcs;
  for (NodeId node = 0; node < nodes; ++node) {
    const size_t degree = snapshot.DistinctNeighbors(node).size();
    const double d = static_cast<double>(degree);
    inverse_root_.push_back(degree == 0 ? 0.0f
                                        : static_cast<float>(1 / std::sqrt(d)));
    adamic_adar_.push_back(static_cast<float>(1 / std::log(std::max(d, 2.0))));
    parallel_start_.push_back(pending.size());
    arcs.clear();
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const ArcSpan span = snapshot.Arcs(node, direction);
      for (size_t i = 0; i < span.size(); ++i) {
        if (span.neighbors[i] == node) continue;
        arcs.emplace_back(span.neighbors[i],
                          SignedRelation(span.relations[i], direction));
      }
    }
    if (arcs.size() == degree) continue;
    std::sort(arcs.begin(), arcs.end());
    for (size_t begin = 0, end = 0; begin < arcs.size(); begin = end) {
      const size_t first = relations_.size();
      while (end < arcs.size() && arcs[end].first == arcs[begin].first) {
        relations_.push_back(arcs[end++].second);
      }
      if (end - begin == 1) {
        relations_.pop_back();
      } else {
        pending.push_back({arcs[begin].first, first, relations_.size()});
      }
    }
  }
  parallel_start_.push_back(pending.size());
  for (const Pending& p : pending) {
    parallels_.push_back(
        {p.neighbor, std::span(relations_).subspan(p.begin, p.end - p.begin)});
  }
}

}  // namespace slice
