// The visible graph as walks see it: undirected, without relations, each pair
// of neighbours once however many links join it, self loops left out.
#ifndef SLICE_TRAINER_WALK_GRAPH_H_
#define SLICE_TRAINER_WALK_GRAPH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "graphstore/graph_view.h"

namespace slice {

// A flat copy of a view's neighbour lists, so that a step costs two reads.
// Immutable; thread-safe.
class WalkGraph {
 public:
  explicit WalkGraph(const GraphView& view);

  size_t node_count() const { return row_start_.size() - 1; }
  // Neighbours over all nodes: twice the visible pairs.
  uint64_t arc_count() const { return neighbors_.size(); }

  // Ascending.
  std::span<const NodeId> Neighbors(NodeId node) const {
    return {neighbors_.data() + row_start_[node],
            neighbors_.data() + row_start_[node + 1]};
  }
  uint32_t Degree(NodeId node) const {
    return static_cast<uint32_t>(row_start_[node + 1] - row_start_[node]);
  }

  // O(log of the smaller degree).
  bool AreNeighbors(NodeId a, NodeId b) const;

  // The nodes with at least one neighbour, ascending.
  std::vector<NodeId> LinkedNodes() const;

  // Tells the processor that the row of `node`, or its first entries, will be
  // read soon.
  void PrefetchRow(NodeId node) const { __builtin_prefetch(&row_start_[node]); }
  void PrefetchNeighbor(uint64_t position) const {
    __builtin_prefetch(&neighbors_[position]);
  }
  uint64_t RowStart(NodeId node) const { return row_start_[node]; }
  NodeId NeighborAt(uint64_t position) const { return neighbors_[position]; }

 private:
  std::vector<uint64_t> row_start_;  // [nodes + 1]
  std::vector<NodeId> neighbors_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_WALK_GRAPH_H_
