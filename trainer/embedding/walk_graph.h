// The visible graph as walks see it: undirected, without relations and self
// loops, each pair of neighbours once. In a graph without weights all
// neighbours weigh the same, however many links join them. In a graph with
// weights a neighbour weighs the sum of the visible links to it.
#ifndef SLICE_TRAINER_EMBEDDING_WALK_GRAPH_H_
#define SLICE_TRAINER_EMBEDDING_WALK_GRAPH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/prefetch.h"
#include "graphstore/graph_view.h"
#include "trainer/embedding/alias_table.h"

namespace slice {

// A flat copy of a view's neighbour lists, so that a step costs two reads.
// Immutable; thread-safe.
class WalkGraph {
 public:
  explicit WalkGraph(const GraphView& view);

  size_t node_count() const { return row_start_.size() - 1; }
  // The sum of all degrees: twice the number of visible pairs.
  uint64_t arc_count() const { return neighbors_.size(); }
  bool is_weighted() const { return !weights_.empty(); }

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

  // What a step of a walk reads. A row is the neighbour list of a node. All
  // rows lie one after another in one array, and a position is an index into
  // this array. Prefetching tells the processor that an element is read soon.
  uint64_t RowStart(NodeId node) const { return row_start_[node]; }
  NodeId NeighborAt(uint64_t position) const { return neighbors_[position]; }
  void PrefetchRow(NodeId node) const { PrefetchToRead(&row_start_[node]); }
  void PrefetchNeighbor(uint64_t position) const {
    PrefetchToRead(&neighbors_[position]);
  }

  // The methods below REQUIRE is_weighted(). The alias cells of a row draw its
  // neighbours in proportion to their weights; AliasCell::other counts from the
  // start of the row.
  const AliasCell& CellAt(uint64_t position) const { return cells_[position]; }
  void PrefetchCell(uint64_t position) const {
    PrefetchToRead(&cells_[position]);
  }
  float WeightAt(uint64_t position) const { return weights_[position]; }
  float MeanWeight(NodeId node) const { return mean_weights_[node]; }

 private:
  void AddNeighbors(const GraphView& view);
  void AddWeightedNeighbors(const GraphView& view);
  void FillCells();

  std::vector<uint64_t> row_start_;  // [nodes + 1]
  std::vector<NodeId> neighbors_;    // [arcs]
  // The next three are empty in a graph without weights.
  std::vector<float> weights_;       // [arcs]
  std::vector<AliasCell> cells_;     // [arcs]
  std::vector<float> mean_weights_;  // [nodes]
};

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_WALK_GRAPH_H_
