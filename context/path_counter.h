// Counts the paths of one type from one node to all others at once.
#ifndef SLICE_CONTEXT_PATH_COUNTER_H_
#define SLICE_CONTEXT_PATH_COUNTER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "context/path_rules.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// How many paths of a type lead from an anchor to a node.
struct PathCount {
  NodeId node;
  uint32_t count;
};

// Thread-compatible; keeps its scratch memory (16 bytes per node).
class PathCounter {
 public:
  explicit PathCounter(const GraphSnapshot& snapshot);

  // The nodes that paths of type `path`, read from `anchor`, lead to, with the
  // number of paths to each, in no particular order; valid until the next call.
  // A path is counted as if the links between the anchor and its last node were
  // hidden: neither of these two is an inner node. The links between the anchor
  // and `hidden` are hidden as well: no path takes one as its first step in
  // order to go on from `hidden`.
  std::span<const PathCount> Count(NodeId anchor, const PathType& path,
                                   NodeId hidden = kNoNode);

  // How many links all calls so far have visited.
  uint64_t work() const { return work_; }

 private:
  std::span<const NodeId> Slot(NodeId node, int32_t relation);
  void Reach(NodeId node, uint32_t times);
  void StepTwice(NodeId anchor, int32_t first, int32_t second, NodeId hidden);
  void StepOnce(NodeId anchor, int32_t relation);
  uint32_t ReturningPaths(NodeId anchor, NodeId node, const PathType& path);

  const GraphSnapshot* snapshot_;
  std::vector<uint32_t> counts_;  // [nodes], 0 between calls
  std::vector<NodeId> reached_;   // the nodes with a count that is not 0
  std::vector<PathCount> found_;
  uint64_t work_ = 0;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_COUNTER_H_
