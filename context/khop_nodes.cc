#include "context/khop_nodes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "common/random.h"
#include "context/neighbor_sample.h"

namespace slice {
namespace {

constexpr int kBothEnds = 3;

// Searches breadth-first from both ends at once, hop by hop.
class KhopSearch {
 public:
  KhopSearch(const GraphView& view, const PathSearchLimits& limits,
             const Link& link)
      : view_(view), limits_(limits), arcs_left_(limits.max_expanded_arcs) {
    ends_[link.source] |= 1;
    ends_[link.target] |= 2;
    for (const auto& [node, bits] : ends_) frontier_.push_back(node);
    std::sort(frontier_.begin(), frontier_.end());
  }

  // The nodes that one more hop reaches for the first time, ascending. The
  // second value says which ends reach the node with this hop: bit 0 is the
  // source, bit 1 the target.
  std::vector<std::pair<NodeId, int>> NextHop() {
    absl::flat_hash_map<NodeId, int> reached;
    for (const NodeId from : frontier_) Expand(from, reached);
    std::vector<std::pair<NodeId, int>> nodes(reached.begin(), reached.end());
    std::sort(nodes.begin(), nodes.end());
    frontier_.clear();
    for (const auto& [node, bits] : nodes) {
      ends_[node] = bits;
      frontier_.push_back(node);
    }
    return nodes;
  }

  bool truncated() const { return truncated_; }

 private:
  void Expand(NodeId from, absl::flat_hash_map<NodeId, int>& reached) {
    if (arcs_left_ <= 0) {
      truncated_ = true;
      return;
    }
    const NeighborList neighbors = view_.Neighbors(from);
    const size_t limit = static_cast<size_t>(limits_.max_degree);
    truncated_ |= neighbors.size() > limit;
    arcs_left_ -= static_cast<int64_t>(std::min(neighbors.size(), limit));
    const int bits = ends_[from];
    ForEachSampled(neighbors, limit, [&](NodeId node) {
      if (!ends_.contains(node)) reached[node] |= bits;
    });
  }

  const GraphView& view_;
  const PathSearchLimits limits_;
  int64_t arcs_left_;
  bool truncated_ = false;
  // For each node seen, the ends that reached it with the fewest hops, as bits.
  absl::flat_hash_map<NodeId, int> ends_;
  std::vector<NodeId> frontier_;
};

}  // namespace

NodesBetween FindKhopNodes(const GraphView& view,
                           const PathSearchLimits& limits, const Link& link,
                           uint64_t seed, size_t room) {
  NodesBetween between;
  Random random(seed);
  KhopSearch search(view, limits, link);
  for (int hop = 1; hop <= limits.max_hops; ++hop) {
    auto nodes = search.NextHop();
    if (nodes.empty()) break;
    for (size_t i = nodes.size(); i > 1; --i) {
      std::swap(nodes[i - 1], nodes[random.Below(static_cast<uint32_t>(i))]);
    }
    std::stable_partition(nodes.begin(), nodes.end(), [](const auto& node) {
      return node.second == kBothEnds;
    });
    for (const auto& [node, bits] : nodes) {
      if (between.nodes.size() == room) break;
      between.nodes.push_back(node);
    }
    if (between.nodes.size() == room) break;
  }
  between.truncated = search.truncated();
  return between;
}

}  // namespace slice
