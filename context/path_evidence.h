// Computes the path sums of one link.
#ifndef SLICE_CONTEXT_PATH_EVIDENCE_H_
#define SLICE_CONTEXT_PATH_EVIDENCE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "context/end_neighborhood.h"
#include "context/path_rules.h"
#include "context/path_sums.h"
#include "context/rule_counter.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// How many neighbours of a node are followed. Where a node has more, a strided
// sample is followed and its sums are scaled up.
struct PathFanOut {
  size_t common = 512;  // of u, for 2-paths, when both ends have more
  size_t first = 48;    // of u, for 3-paths
  size_t second = 64;   // of each x, for 3-paths
};

// Thread-compatible; keeps its scratch memory (16 bytes per node of the graph)
// from one link to the next. The letters are those of context/path_sums.h.
class PathEvidence {
 public:
  // Turns to `link`. Counts paths by `rules` too, unless `rules` is null. The
  // view and the rules must outlive the calls of the sums.
  void Open(const GraphView& view, const Link& link, const PathFanOut& fan_out,
            const PathRules* rules = nullptr);

  // All sums. REQUIRES: no other sum was computed since Open().
  PathSums Sum();

  size_t source_degree() const { return source_.degree(); }
  size_t target_degree() const { return target_.degree(); }

  // The parts of Sum(), for callers that need one of them.
  CommonNeighborSums SumCommonNeighbors();
  ThreePathEvidence SumThreePaths();

 private:
  struct FirstStep;
  // The links of the present x by one signed relation.
  struct Slot {
    int32_t relation;
    std::span<const NodeId> ahead;  // not yet passed; hidden ones included
  };

  void AddCommonNeighbor(NodeId x, double times, CommonNeighborSums& sums);
  size_t GatherJoined(const NeighborList& neighbors);
  void AddThreePath(const FirstStep& first, NodeId y, double times,
                    ThreePathEvidence& sums);
  bool HasArc(NodeId x, int32_t relation, NodeId y);
  // Whether the last (first) two steps of u - x - y - v go to and fro by one
  // relation. Both count the paths that do by rule.
  bool EndsAlike(NodeId x, NodeId y, double times);
  bool StartsAlike(NodeId x, NodeId y, double times);

  const GraphView* view_ = nullptr;
  Link link_;
  PathFanOut fan_out_;
  const PathRules* rules_ = nullptr;
  RuleCounter rule_counter_;
  EndNeighborhood source_, target_;
  std::vector<NodeId> joined_;  // the y of the present x
  std::vector<Slot> slots_;     // of the present x, those looked up so far
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_EVIDENCE_H_
