// Strategy `all`: the simple paths between two nodes of at most max_hops hops.
// A simple path repeats no node.
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
// It searches depth-first from the source. It knows how many hops the nodes
// near the target are away from the target, and takes no step to a node that is
// known to be too far away. Thread-compatible.
class SimplePathSearch {
 public:
  // The view must outlive the search. REQUIRES: source != target.
  SimplePathSearch(const GraphView& view, const PathSearchLimits& limits,
                   NodeId source, NodeId target);

  // The simple paths of exactly `hops` hops, the most specific first
  // (PathBetween). If there are more than 4096, the first 4096 found. REQUIRES:
  // hops >= 2.
  std::vector<PathBetween> OfLength(int hops);

  // Whether a hub was sampled or a bound left paths out.
  bool truncated() const { return truncated_; }

 private:
  void GrowReach(int levels);
  bool CanArrive(NodeId node, int hops_left) const;
  void Extend(NodeId from, int hops_left, std::vector<PathBetween>& found);
  // Calls visit(NodeId) for the neighbours of `node`, or for a sample of them
  // if `node` is a hub. Visits none once max_expanded_arcs is reached.
  template <typename Visit>
  void ForEachStep(NodeId node, Visit visit);

  const GraphView& view_;
  const PathSearchLimits limits_;
  const NodeId source_, target_;
  int64_t arcs_left_;
  bool truncated_ = false;
  // Hops to the target, for all nodes at most levels_ hops away (for fewer
  // nodes if truncated).
  absl::flat_hash_map<NodeId, int> to_target_;
  std::vector<NodeId> frontier_;
  int levels_ = 0;
  std::vector<NodeId> inner_;  // inner nodes of the path at hand
};

// The nodes of the simple paths of at most limits.max_hops hops: the shortest
// paths first, and of equally long paths the most specific first. A path is
// left out if not all of its nodes fit into `room`. REQUIRES: link.source !=
// link.target.
NodesBetween FindSimplePathNodes(const GraphView& view,
                                 const PathSearchLimits& limits,
                                 const Link& link, size_t room);

}  // namespace slice

#endif  // SLICE_CONTEXT_SIMPLE_PATH_SEARCH_H_
