// Counts the paths of one type from one node, the anchor, to all other nodes.
#ifndef SLICE_CONTEXT_PATH_COUNTER_H_
#define SLICE_CONTEXT_PATH_COUNTER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "context/path_rules.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// How many paths of one type lead from the anchor to a node.
struct PathCount {
  NodeId node;
  uint32_t count;
};

// Thread-compatible; keeps its scratch memory (16 bytes per node).
class PathCounter {
 public:
  explicit PathCounter(const GraphSnapshot& snapshot);

  // Returns every node to which paths of type `path` lead from `anchor`, with
  // the number of these paths, in no particular order. Valid until the next
  // call.
  //
  // Links between the anchor and the last node of a path count as hidden:
  // neither node is an inner node of the path. If `hidden` is given, links
  // between the anchor and `hidden` count as hidden too: no path of two or
  // three links begins with one of them.
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
  std::vector<NodeId> reached_;   // the nodes whose count is not 0
  std::vector<PathCount> found_;
  uint64_t work_ = 0;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_COUNTER_H_
