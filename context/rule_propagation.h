// The rules of path_rules.h between one node and all others at once.
#ifndef SLICE_CONTEXT_RULE_PROPAGATION_H_
#define SLICE_CONTEXT_RULE_PROPAGATION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "context/end_question.h"
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

  // All nodes that paths of type `path`, read from `anchor`, lead to, with the
  // number of these, as between the two nodes with their own links hidden: no
  // inner node is an end. `hidden` is a node whose links with the anchor are
  // hidden too: no path goes there first to pass it. In no particular order;
  // valid until the next call.
  std::span<const PathCount> Count(NodeId anchor, const PathType& path,
                                   NodeId hidden = kNoNode);

  // Links looked at so far: what counting has cost.
  uint64_t work() const { return work_; }

 private:
  std::span<const NodeId> Slot(NodeId node, int32_t relation);
  void Reach(NodeId node, uint32_t times);
  void StepTwice(NodeId anchor, int32_t first, int32_t second, NodeId hidden);
  void StepOnce(NodeId anchor, int32_t relation);
  uint32_t ReturningPaths(NodeId anchor, NodeId node, const PathType& path);

  const GraphSnapshot* snapshot_;
  std::vector<uint32_t> counts_;  // [nodes], 0 between calls
  std::vector<NodeId> reached_;   // where it is not
  std::vector<PathCount> found_;
  uint64_t work_ = 0;
};

// Thread-compatible; keeps its scratch memory (36 bytes per node).
class RulePropagation {
 public:
  RulePropagation(const GraphSnapshot& snapshot, const PathRules& rules);

  // Collects the evidence of the question with every node as its answer, but
  // for rules of one link.
  void Run(const EndQuestion& question);
  const RuleEvidence& At(NodeId node) const { return evidence_[node]; }

 private:
  const PathRules* rules_;
  PathCounter counter_;
  std::vector<RuleEvidence> evidence_;  // [nodes]
};

}  // namespace slice

#endif  // SLICE_CONTEXT_RULE_PROPAGATION_H_
