// Finds the simple paths of a given length, for one length after the other.
//
// Before the paths of n hops are sought, GrowReach() extends a breadth-first
// search from the target to n / 2 hops. The depth-first search from the source
// then skips the nodes that are known to be too far from the target: a node
// that the breadth-first search did not reach is more than n / 2 hops away
// (CanArrive).
// Both searches share one budget of arcs over all lengths.
#include "context/simple_path_search.h"

#include <algorithm>

#include "context/neighbor_sample.h"

namespace slice {
namespace {

constexpr size_t kMaxPathsOfLength = 4096;

}  // namespace

SimplePathSearch::SimplePathSearch(const GraphView& view,
                                   const PathSearchLimits& limits,
                                   NodeId source, NodeId target)
    : view_(view),
      limits_(limits),
      source_(source),
      target_(target),
      arcs_left_(limits.max_expanded_arcs),
      frontier_{target} {
  to_target_[target] = 0;
}

template <typename Visit>
void SimplePathSearch::ForEachStep(NodeId node, Visit visit) {
  if (arcs_left_ <= 0) {
    truncated_ = true;
    return;
  }
  const NeighborList neighbors = view_.Neighbors(node);
  const size_t limit = static_cast<size_t>(limits_.max_degree);
  truncated_ |= neighbors.size() > limit;
  arcs_left_ -= static_cast<int64_t>(std::min(neighbors.size(), limit));
  ForEachSampled(neighbors, limit, visit);
}

void SimplePathSearch::GrowReach(int levels) {
  while (levels_ < levels && !frontier_.empty()) {
    ++levels_;
    std::vector<NodeId> next;
    for (const NodeId node : frontier_) {
      ForEachStep(node, [&](NodeId neighbor) {
        if (to_target_.try_emplace(neighbor, levels_).second) {
          next.push_back(neighbor);
        }
      });
    }
    frontier_ = std::move(next);
  }
}

bool SimplePathSearch::CanArrive(NodeId node, int hops_left) const {
  const auto known = to_target_.find(node);
  if (known != to_target_.end()) return known->second <= hops_left;
  return hops_left > levels_ && !frontier_.empty();
}

void SimplePathSearch::Extend(NodeId from, int hops_left,
                              std::vector<PathBetween>& found) {
  if (hops_left == 1) {
    // CanArrive() has made sure that `from` is a neighbour of the target.
    PathBetween path{.cost = 0, .inner = inner_};
    for (const NodeId node : inner_) {
      path.cost += SpecificityCost(view_.NeighborCount(node));
    }
    found.push_back(std::move(path));
    return;
  }
  ForEachStep(from, [&](NodeId node) {
    if (node == source_ || node == target_) return;
    if (!CanArrive(node, hops_left - 1)) return;
    if (std::find(inner_.begin(), inner_.end(), node) != inner_.end()) return;
    if (found.size() == kMaxPathsOfLength) {
      truncated_ = true;
      return;
    }
    inner_.push_back(node);
    Extend(node, hops_left - 1, found);
    inner_.pop_back();
  });
}

std::vector<PathBetween> SimplePathSearch::OfLength(int hops) {
  GrowReach(std::max(1, hops / 2));
  std::vector<PathBetween> found;
  Extend(source_, hops, found);
  std::sort(found.begin(), found.end());
  return found;
}

NodesBetween FindSimplePathNodes(const GraphView& view,
                                 const PathSearchLimits& limits,
                                 const Link& link, size_t room) {
  NodesBetween between;
  SimplePathSearch search(view, limits, link.source, link.target);
  for (int hops = 2; hops <= limits.max_hops; ++hops) {
    if (between.nodes.size() == room && between.hops >= 0) break;
    for (const PathBetween& path : search.OfLength(hops)) {
      if (between.hops < 0) between.hops = hops;
      between.AddPath(path.inner, room);
    }
  }
  between.truncated = search.truncated();
  return between;
}

}  // namespace slice
