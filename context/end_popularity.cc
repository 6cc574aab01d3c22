#include "context/end_popularity.h"

#include <algorithm>
#include <vector>

#include "context/log_count.h"
#include "context/neighbor_sample.h"

namespace slice {
namespace {

template <typename Value>
double MeanOver(const GraphView& view, NodeId node, size_t limit, Value value) {
  const NeighborList neighbors = view.Neighbors(node);
  if (neighbors.empty()) return 0;
  double sum = 0;
  ForEachSampled(neighbors, limit,
                 [&](NodeId neighbor) { sum += value(neighbor); });
  return sum / static_cast<double>(std::min(neighbors.size(), limit));
}

}  // namespace

double MeanSlotPopularity(const GraphView& view, NodeId node,
                          RelationId relation, Direction direction,
                          size_t limit) {
  const auto slot = view.snapshot().Neighbors(node, relation, direction);
  const size_t size = view.SlotDegree(node, relation, direction);
  if (size == 0) return 0;
  const size_t taken = std::min(size, limit);
  double sum = 0;
  const auto add = [&](NodeId neighbor) {
    sum += LogCount(view.SlotDegree(neighbor, relation, Reverse(direction)));
  };
  if (size == slot.size()) {
    for (size_t i = 0; i < taken; ++i) add(slot[i * size / taken]);
    return sum / static_cast<double>(taken);
  }
  // Positions in the sample count visible links only.
  size_t position = 0, next = 0;
  for (const NodeId neighbor : slot) {
    if (!view.IsVisible(node, {neighbor, relation, direction})) continue;
    if (position++ != next * size / taken) continue;
    add(neighbor);
    ++next;
  }
  return sum / static_cast<double>(taken);
}

double MeanNeighborDegree(const GraphView& view, NodeId node, size_t limit) {
  return MeanOver(view, node, limit, [&](NodeId neighbor) {
    return LogCount(view.NeighborCount(neighbor));
  });
}

double MeanSecondNeighborDegree(const GraphView& view, NodeId node,
                                size_t limit) {
  return MeanOver(view, node, limit, [&](NodeId neighbor) {
    return MeanNeighborDegree(view, neighbor, limit);
  });
}

}  // namespace slice
