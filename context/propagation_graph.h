// What PathSumPropagation reads of a graph, computed once.
#ifndef SLICE_CONTEXT_PROPAGATION_GRAPH_H_
#define SLICE_CONTEXT_PROPAGATION_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graphstore/graph_snapshot.h"

namespace slice {

// d is the number of distinct neighbours of a node. Immutable; thread-safe; the
// snapshot must outlive it.
class PropagationGraph {
 public:
  explicit PropagationGraph(const GraphSnapshot& snapshot);
  PropagationGraph(const PropagationGraph&) = delete;
  PropagationGraph& operator=(const PropagationGraph&) = delete;

  // A neighbour that several links join to a node. `relations` are the signed
  // relations of these links as travelled from the node, ascending.
  struct Parallel {
    NodeId neighbor;
    std::span<const int32_t> relations;
  };

  const GraphSnapshot& snapshot() const { return *snapshot_; }
  // 1 / sqrt(d); 0 for a node without neighbours.
  float InverseRoot(NodeId node) const { return inverse_root_[node]; }
  // 1 / log(max(d, 2)).
  float AdamicAdar(NodeId node) const { return adamic_adar_[node]; }
  // The neighbours that several links join to `node`, ascending.
  std::span<const Parallel> Parallels(NodeId node) const {
    return std::span(parallels_)
        .subspan(parallel_start_[node],
                 parallel_start_[node + 1] - parallel_start_[node]);
  }

 private:
  const GraphSnapshot* snapshot_;
  std::vector<float> inverse_root_, adamic_adar_;  // [nodes]
  std::vector<size_t> parallel_start_;             // [nodes + 1]
  std::vector<Parallel> parallels_;
  std::vector<int32_t> relations_;  // storage of Parallel::relations
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PROPAGATION_GRAPH_H_
