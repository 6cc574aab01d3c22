// Sums over the 2-paths and 3-paths between the ends of a link: the raw numbers
// under the common-neighbour and path features.
//
// u is the source, v the target, r the queried relation; x and y are inner
// nodes, d the visible distinct neighbours of a node. Two nodes relate to a
// third *alike* when one relation links both to it in the same direction.
#ifndef SLICE_CONTEXT_PATH_SUMS_H_
#define SLICE_CONTEXT_PATH_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "context/end_neighborhood.h"
#include "context/path_rules.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// Over some of the 2-paths u - x - v, x neither u nor v.
struct TwoPathSums {
  double count = 0;
  double weight = 0;  // sum of 1 / d_x

  void Add(double times, double inverse_degree) {
    count += times;
    weight += times * inverse_degree;
  }
};

struct CommonNeighborSums {
  TwoPathSums all;
  double adamic_adar = 0;      // sum of 1 / log(max(d_x, 2))
  TwoPathSums first_relation;  // (u, r, x)
  TwoPathSums last_relation;   // (x, r, v)
  TwoPathSums alike;           // u and v relate to x alike
};

// Over some of the 3-paths u - x - y - v, x not v and y not u.
struct ThreePathSums {
  double count = 0;
  double root_weight = 0;  // sum of 1 / sqrt(d_x d_y)
  double weight = 0;       // sum of 1 / (d_x d_y)

  void Add(double times, double inverse_root) {
    count += times;
    root_weight += times * inverse_root;
    weight += times * inverse_root * inverse_root;
  }
};

struct ThreePathEvidence {
  ThreePathSums all;
  ThreePathSums first_relation;        // (u, r, x)
  ThreePathSums last_relation;         // (y, r, v)
  ThreePathSums both_relations;        // (u, r, x) and (y, r, v)
  ThreePathSums there_and_back;        // (u, r, x), (y, r, x) and (y, r, v)
  ThreePathSums first_relation_alike;  // (u, r, x); x, v relate to y alike
  ThreePathSums last_relation_alike;   // (y, r, v); u, y relate to x alike
};

struct PathSums {
  CommonNeighborSums common;
  ThreePathEvidence three;
  RuleEvidence rules;  // but those of one link
};

// How many neighbours are followed, strided beyond, weights scaled back.
struct PathFanOut {
  size_t common = 512;  // of u, for 2-paths, when both ends have more
  size_t first = 48;    // of u, for 3-paths
  size_t second = 64;   // of each of these
};

// Looks from one link at the paths between its ends. Thread-compatible; keeps
// its scratch memory (16 bytes per node of the graph) from one link to the
// next.
class PathEvidence {
 public:
  // Looks at `link` from now on, and counts paths by `rules` unless they are
  // null. Everything given must outlive the sums.
  void Open(const GraphView& view, const Link& link, const PathFanOut& fan_out,
            const PathRules* rules = nullptr);

  // All of them.
  PathSums Sum();

  size_t source_degree() const { return source_.degree(); }
  size_t target_degree() const { return target_.degree(); }

  CommonNeighborSums SumCommonNeighbors();
  ThreePathEvidence SumThreePaths();

 private:
  struct FirstStep;
  // The links of the first step at hand by one signed relation.
  struct Slot {
    int32_t relation;
    std::span<const NodeId> ahead;  // not yet passed; hidden ones included
  };

  void AddCommonNeighbor(NodeId x, double times, CommonNeighborSums& sums);
  size_t GatherJoined(const NeighborList& neighbors);
  void AddThreePath(const FirstStep& first, NodeId y, double times,
                    ThreePathEvidence& sums);
  bool HasArc(NodeId x, int32_t relation, NodeId y);
  // Whether the last two steps of u - x - y - v go to and fro, or the first
  // two; counts the paths by rule.
  bool EndsAlike(NodeId x, NodeId y, double times);
  bool StartsAlike(NodeId x, NodeId y, double times);

  const GraphView* view_ = nullptr;
  Link link_;
  PathFanOut fan_out_;
  const PathRules* rules_ = nullptr;
  RuleCounter rule_counter_;
  EndNeighborhood source_, target_;
  std::vector<NodeId> joined_;  // y of the first step at hand
  std::vector<Slot> slots_;     // those looked up so far
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_SUMS_H_
