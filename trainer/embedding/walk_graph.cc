// Copies a view into flat rows, node by node in id order. Without weights a row
// is the view's own neighbour list. With weights the links to one neighbour are
// summed, and each row gets an alias table and a mean weight. Rows are sorted,
// so that AreNeighbors() can search them by bisection.
#include "trainer/embedding/walk_graph.h"

#include <algorithm>
#include <utility>

#include "common/huge_pages.h"

namespace slice {
namespace {

// The number of arcs if no link is hidden: how much room to reserve. Reserved
// room that stays unused takes no memory.
uint64_t MostArcs(const GraphSnapshot& snapshot) {
  uint64_t arcs = 0;
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    arcs += snapshot.DistinctNeighbors(node).size();
  }
  return arcs;
}

}  // namespace

WalkGraph::WalkGraph(const GraphView& view) {
  ReserveHugePages(view.node_count() + 1, &row_start_);
  row_start_.push_back(0);
  if (view.snapshot().has_weights()) {
    AddWeightedNeighbors(view);
    FillCells();
  } else {
    AddNeighbors(view);
  }
}

void WalkGraph::AddNeighbors(const GraphView& view) {
  ReserveHugePages(MostArcs(view.snapshot()), &neighbors_);
  for (NodeId node = 0; node < view.node_count(); ++node) {
    view.Neighbors(node).ForEach(
        [&](NodeId neighbor) { neighbors_.push_back(neighbor); });
    row_start_.push_back(neighbors_.size());
  }
}

void WalkGraph::AddWeightedNeighbors(const GraphView& view) {
  const uint64_t most_arcs = MostArcs(view.snapshot());
  ReserveHugePages(most_arcs, &neighbors_);
  ReserveHugePages(most_arcs, &weights_);
  std::vector<std::pair<NodeId, double>> row;
  for (NodeId node = 0; node < view.node_count(); ++node) {
    row.clear();
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const ArcSpan arcs = view.snapshot().Arcs(node, direction);
      for (size_t i = 0; i < arcs.size(); ++i) {
        const Arc arc{arcs.neighbors[i], arcs.relations[i], direction};
        if (arc.neighbor == node || !view.IsVisible(node, arc)) continue;
        row.emplace_back(arc.neighbor, arcs.Weight(i));
      }
    }
    std::sort(row.begin(), row.end());
    for (size_t i = 0; i < row.size();) {
      const NodeId neighbor = row[i].first;
      double weight = 0;
      for (; i < row.size() && row[i].first == neighbor; ++i) {
        weight += row[i].second;
      }
      neighbors_.push_back(neighbor);
      weights_.push_back(static_cast<float>(weight));
    }
    row_start_.push_back(neighbors_.size());
  }
}

void WalkGraph::FillCells() {
  ReserveHugePages(weights_.size(), &cells_);
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
  // Finds the last entry that is not above b, by bisection without branches.
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
