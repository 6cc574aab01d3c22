#include "trainer/walk_graph.h"

#include <algorithm>
#include <utility>

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

WalkGraph::WalkGraph(const GraphView& view, const ArcWeight& arc_weight) {
  const size_t nodes = view.node_count();
  row_start_.reserve(nodes + 1);
  row_start_.push_back(0);
  std::vector<std::pair<NodeId, double>> row;
  for (NodeId node = 0; node < nodes; ++node) {
    row.clear();
    view.ForEachArc(node, [&](const Arc& arc) {
      if (arc.neighbor != node) {
        row.emplace_back(arc.neighbor, arc_weight(node, arc));
      }
    });
    std::sort(row.begin(), row.end());
    for (size_t i = 0; i < row.size();) {
      double weight = 0;
      const NodeId neighbor = row[i].first;
      for (; i < row.size() && row[i].first == neighbor; ++i) {
        weight += row[i].second;
      }
      neighbors_.push_back(neighbor);
      weights_.push_back(static_cast<float>(weight));
    }
    row_start_.push_back(neighbors_.size());
  }
  FillCells();
}

void WalkGraph::FillCells() {
  cells_.resize(weights_.size());
  mean_weights_.resize(node_count());
  std::vector<double> row;
  for (NodeId node = 0; node < node_count(); ++node) {
    const uint64_t begin = row_start_[node];
    const uint64_t end = row_start_[node + 1];
    if (begin == end) continue;
    row.assign(weights_.begin() + begin, weights_.begin() + end);
    double sum = 0;
    for (const double weight : row) sum += weight;
    mean_weights_[node] =
        static_cast<float>(sum / static_cast<double>(row.size()));
    FillAliasCells(row, std::span(cells_).subspan(begin, end - begin));
  }
}

bool WalkGraph::AreNeighbors(NodeId a, NodeId b) const {
  if (Degree(a) > Degree(b)) std::swap(a, b);
  const std::span<const NodeId> row = Neighbors(a);
  if (row.empty()) return false;
  // The last entry not above b, halving without branches.
  const NodeId* base = row.data();
  for (size_t left = row.size(); left > 1;) {
    const size_t half = left / 2;
    base = base[half] <= b ? base + half : base;
    left -= half;
  }
  return *base == b;
}

std::vector<NodeId> WalkGraph::LinkedNodes() const {
  std::vector<NodeId> linked;
  for (NodeId node = 0; node < node_count(); ++node) {
    if (Degree(node) > 0) linked.push_back(node);
  }
  return linked;
}

}  // namespace slice
