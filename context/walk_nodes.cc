// Random walks between two ends and around one node. Each step of a walk goes
// to a visible neighbour, drawn uniformly; a walk may come back to a node. All
// draws of a call come from one generator, so that a seed gives the same walks
// everywhere.
#include "context/walk_nodes.h"

#include "absl/container/flat_hash_map.h"
#include "common/random.h"
#include "context/neighbor_sample.h"

namespace slice {
namespace {

// WalkChain() gives up after this many steps for each node that it may return.
constexpr size_t kStepsPerNode = 4;

// The nodes that walks from two ends have visited, in the order of the first
// visit.
class WalkRecord {
 public:
  void Visit(NodeId node, int end) {
    const auto [entry, is_new] = positions_.try_emplace(node, order_.size());
    if (is_new) order_.push_back({node, 0});
    order_[entry->second].ends |= 1 << end;
  }

  // Up to `room` nodes, those visited from both ends first.
  std::vector<NodeId> Best(size_t room) const {
    std::vector<NodeId> nodes;
    for (const bool both : {true, false}) {
      for (const Visited& visited : order_) {
        if ((visited.ends == 3) != both) continue;
        if (nodes.size() < room) nodes.push_back(visited.node);
      }
    }
    return nodes;
  }

 private:
  struct Visited {
    NodeId node;
    int ends;  // bit 0: visited from the source; bit 1: from the target
  };
  absl::flat_hash_map<NodeId, size_t> positions_;
  std::vector<Visited> order_;
};

void AddDistinct(NodeId node, size_t most, std::vector<NodeId>& nodes) {
  if (nodes.size() == most) return;
  if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) {
    nodes.push_back(node);
  }
}

}  // namespace

NodesBetween FindWalkNodes(const GraphView& view, int max_hops,
                           const Link& link, uint64_t seed, size_t room) {
  const NodeId ends[2] = {link.source, link.target};
  const NeighborList first_steps[2] = {view.Neighbors(ends[0]),
                                       view.Neighbors(ends[1])};
  Random random(seed);
  WalkRecord record;
  for (size_t walk = 0; walk < room + 2; ++walk) {
    const int end = walk % 2;
    if (first_steps[end].empty()) continue;
    NodeId at = first_steps[end][random.Below(
        static_cast<uint32_t>(first_steps[end].size()))];
    for (int hop = 1;; ++hop) {
      if (at == ends[1 - end] && at != ends[end]) break;  // arrived
      if (at != ends[end]) record.Visit(at, end);
      if (hop == max_hops) break;
      const NeighborList neighbors = view.Neighbors(at);
      at = neighbors[random.Below(static_cast<uint32_t>(neighbors.size()))];
    }
  }
  return {.nodes = record.Best(room)};
}

std::vector<NodeId> WalkChain(const GraphView& view, NodeId node, uint64_t seed,
                              size_t most) {
  Random random(seed);
  std::vector<NodeId> nodes = {node};
  NodeId at = node;
  for (size_t step = 0; step < kStepsPerNode * most; ++step) {
    if (nodes.size() == most) break;
    const NeighborList neighbors = view.Neighbors(at);
    if (neighbors.empty()) break;
    at = neighbors[random.Below(static_cast<uint32_t>(neighbors.size()))];
    AddDistinct(at, most, nodes);
  }
  return nodes;
}

std::vector<NodeId> DrawTwoHopBeam(const GraphView& view, NodeId node,
                                   int beam_width, uint64_t seed, size_t most) {
  Random random(seed);
  const size_t width = static_cast<size_t>(beam_width);
  std::vector<NodeId> nodes = {node};
  std::vector<NodeId> near;
  ForEachDrawn(view.Neighbors(node), width, random, [&](NodeId neighbor) {
    near.push_back(neighbor);
    AddDistinct(neighbor, most, nodes);
  });
  for (const NodeId neighbor : near) {
    ForEachDrawn(view.Neighbors(neighbor), width, random,
                 [&](NodeId further) { AddDistinct(further, most, nodes); });
  }
  return nodes;
}

}  // namespace slice
