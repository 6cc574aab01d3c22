// Strategy `all`: the simple paths between two nodes up to a number of hops.
#ifndef SLICE_CONTEXT_SIMPLE_PATH_SEARCH_H_
#define SLICE_CONTEXT_SIMPLE_PATH_SEARCH_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "context/nodes_between.h"
#include "context/path_between.h"
#include "context/path_search_limits.h"
#include "graphstore/graph_view.h"

namespace slice {

// Finds paths length by length.
//
//   SimplePathSearch search(view, limits, source, target);
//   for (int hops = 2; hops <= limits.max_hops; ++hops) {
//     for (const PathBetween& path : search.OfLength(hops)) { ... }
//   }
//
// Depth-first from the source; a step that cannot arrive in time, by the hops
// to the target known so far, is not taken. Thread-compatible.
class SimplePathSearch {
 public:
  // The view must outlive the search. REQUIRES: source != target.
  SimplePathSearch(const GraphView& view, const PathSearchLimits& limits,
                   NodeId source, NodeId target);

  // The paths of exactly `hops` hops that repeat no node, sorted. Where there
  // are more than 4096 the first found. REQUIRES: hops >= 2.
  std::vector<PathBetween> OfLength(int hops);

  // Whether a hub was sampled or a bound left something out.
  bool truncated() const { return truncated_; }

 private:
  void GrowReach(int levels);
  bool CanArrive(NodeId node, int hops_left) const;
  void Extend(NodeId from, int hops_left, std::vector<PathBetween>& found);
  // Calls visit(NodeId) for the neighbours of `node` until a bound is met.
  template <typename Visit>
  void ForEachStep(NodeId node, Visit visit);

  const GraphView& view_;
  const PathSearchLimits limits_;
  const NodeId source_, target_;
  int64_t arcs_left_;
  bool truncated_ = false;
  // Hops to the target, complete up to levels_ (unless truncated).
  absl::flat_hash_map<NodeId, int> to_target_;
  std::vector<NodeId> frontier_;
  int levels_ = 0;
  std::vector<NodeId> inner_;  // of the path being extended
};

// The nodes of the simple paths with at most limits.max_hops hops, the shortest
// first and of these the most specific, as far as paths fit into `room` whole.
// REQUIRES: link.source != link.target.
NodesBetween FindSimplePathNodes(const GraphView& view,
                                 const PathSearchLimits& limits,
                                 const Link& link, size_t room);

}  // namespace slice

#endif  // SLICE_CONTEXT_SIMPLE_PATH_SEARCH_H_
