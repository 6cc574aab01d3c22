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
#include <optional>
#include <vector>

#include "graphstore/graph_view.h"

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

// How many neighbours are followed, strided beyond, weights scaled back.
struct PathFanOut {
  size_t common = 512;  // of u, for 2-paths, when both ends have more
  size_t first = 48;    // of u, for 3-paths
  size_t second = 64;   // of each of these
};

// Looks from one link at the paths between its ends. Thread-compatible; keeps
// its scratch memory (4 bytes per node of the graph) from one link to the next.
class PathEvidence {
 public:
  // Looks at `link` from now on. `view` must outlive the sums.
  void Open(const GraphView& view, const Link& link, const PathFanOut& fan_out);

  size_t source_degree() const { return source_neighbors_->size(); }
  size_t target_degree() const { return target_neighbors_->size(); }

  CommonNeighborSums SumCommonNeighbors();
  ThreePathEvidence SumThreePaths();

 private:
  struct FirstStep;

  bool IsTargetNeighbor(NodeId node) const;
  bool HasLastRelation(NodeId node);
  bool RelatesAlike(const std::vector<Arc>& arcs, NodeId other) const;
  void AddCommonNeighbor(NodeId x, double times, CommonNeighborSums& sums);
  void AddThreePath(const FirstStep& first, NodeId y, double times,
                    ThreePathEvidence& sums);

  const GraphView* view_ = nullptr;
  Link link_;
  PathFanOut fan_out_;
  std::optional<NeighborList> source_neighbors_, target_neighbors_;
  bool source_has_relation_ = false;  // any (u, r, *)
  bool target_has_relation_ = false;  // any (*, r, v)
  bool marked_ = false;               // target's neighbours are in marks_
  std::vector<uint32_t> marks_;       // [nodes]: epoch_ + what is known
  uint32_t epoch_ = 0;                // a multiple of 4
  std::vector<Arc> source_arcs_;      // of the first step at hand
  NodeId source_arcs_of_ = kNoNode;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_SUMS_H_
