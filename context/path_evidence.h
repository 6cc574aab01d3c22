// Computes the path sums (context/path_sums.h) of one link.
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
// sample is followed, and the sums over it are scaled up. u is the source of
// the link, x a neighbour of u.
struct PathFanOut {
  size_t common = 512;  // 2-paths: of u, sampled only when both ends have more
  size_t first = 48;    // 3-paths: of u
  size_t second = 64;   // 3-paths: of each x
};

// Thread-compatible; keeps its scratch memory (8 bytes per node of the graph)
// from one link to the next. The letters are those of context/path_sums.h.
class PathEvidence {
 public:
  // Prepares the sums of `link`. Unless `rules` is null, the paths are also
  // counted by the rules that they belong to. `view` and `rules` must outlive
  // the calls that compute sums.
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
  // The neighbours of the x at hand by one signed relation.
  struct Slot {
    int32_t relation;
    std::span<const NodeId> ahead;  // not yet passed; some may be hidden
  };

  void AddCommonNeighbor(NodeId x, double times, CommonNeighborSums& sums);
  size_t GatherJoined(const NeighborList& neighbors);
  void AddThreePath(const FirstStep& first, NodeId y, double times,
                    ThreePathEvidence& sums);
  bool HasArc(NodeId x, int32_t relation, NodeId y);
  // Whether x and v relate to y alike (EndsAlike), or u and y to x alike
  // (StartsAlike). With rules, both count these paths for the rules.
  bool EndsAlike(NodeId x, NodeId y, double times);
  bool StartsAlike(NodeId x, NodeId y, double times);

  const GraphView* view_ = nullptr;
  Link link_;
  PathFanOut fan_out_;
  const PathRules* rules_ = nullptr;
  RuleCounter rule_counter_;
  EndNeighborhood source_, target_;
  std::vector<NodeId> joined_;  // the y of the x at hand
  std::vector<Slot> slots_;     // those looked up so far for the x at hand
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_EVIDENCE_H_
