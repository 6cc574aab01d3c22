#include "context/context_generator.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "context/context_assembly.h"
#include "context/neighbor_sample.h"
#include "context/shortest_paths.h"

namespace slice {
namespace {

constexpr std::string_view kShortestName = "shortest";
constexpr std::string_view kRandomName = "random";
// Where no path joins the ends, each brings this many of its neighbours, chosen
// from a sample of that size.
constexpr size_t kLonelyNeighbors = 2;
constexpr size_t kLonelySample = 64;
// A walk around a node ends after this many steps per node wanted.
constexpr int kStepsPerNode = 4;

absl::Status CheckBounds(const char* field, int value, int least, int most) {
  if (value >= least && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "context.", field, " is ", value, ", must be ", least, " to ", most));
}

// Adds up to `count` neighbours of `end` that are not yet in `between`, the
// least connected first.
void AddSpecificNeighbors(const GraphView& view, NodeId end, NodeId other_end,
                          size_t count, std::vector<NodeId>& between) {
  std::vector<std::pair<size_t, NodeId>> candidates;
  ForEachSampled(view.Neighbors(end), kLonelySample, [&](NodeId node) {
    if (node == other_end) return;
    if (std::find(between.begin(), between.end(), node) != between.end())
      return;
    candidates.emplace_back(view.NeighborCount(node), node);
  });
  count = std::min(count, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + count,
                    candidates.end());
  for (size_t i = 0; i < count; ++i) between.push_back(candidates[i].second);
}

std::vector<NodeId> LonelyNeighbors(const GraphView& view, const Link& link,
                                    size_t room) {
  std::vector<NodeId> between;
  AddSpecificNeighbors(view, link.source, link.target,
                       std::min(room, kLonelyNeighbors), between);
  AddSpecificNeighbors(view, link.target, link.source,
                       std::min(room - between.size(), kLonelyNeighbors),
                       between);
  return between;
}

ContextSubgraph CutShortestPaths(const GraphView& view, const Link& link,
                                 const ContextOptions& options) {
  const size_t room = static_cast<size_t>(options.max_nodes) - 2;
  const PathSearchLimits limits{options.max_hops, options.max_degree,
                                options.max_expanded_arcs};
  thread_local ShortestPathSearch search;  // its scratch memory is reused
  std::vector<NodeId> between, inner;
  const bool same = link.source == link.target;
  const int hops =
      same ? 0 : search.Find(view, limits, link.source, link.target);
  while (hops > 0 && between.size() < room && search.Next(inner)) {
    const size_t before = between.size();
    for (const NodeId node : inner) {
      if (std::find(between.begin(), between.end(), node) == between.end()) {
        between.push_back(node);
      }
    }
    if (between.size() > room) between.resize(before);  // does not fit whole
  }
  if (between.empty()) between = LonelyNeighbors(view, link, room);
  ContextSubgraph context =
      AssembleLinkContext(view, link, between, options.max_hops);
  context.truncated = !same && search.truncated();
  // A path too long for max_nodes leaves its length.
  if (context.distance < 0) context.distance = hops;
  return context;
}

// Who was met on walks from two ends, in the order of the first meeting.
class WalkRecord {
 public:
  void Visit(NodeId node, int end) {
    const auto [entry, is_new] = positions_.try_emplace(node, order_.size());
    if (is_new) order_.push_back({node, 0});
    order_[entry->second].ends |= 1 << end;
  }

  // Up to `room` nodes, those met from both ends first.
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
    int ends;  // bit per end
  };
  absl::flat_hash_map<NodeId, size_t> positions_;
  std::vector<Visited> order_;
};

ContextSubgraph CutRandomWalks(const GraphView& view, const Link& link,
                               const ContextOptions& options, uint64_t seed) {
  const NodeId ends[2] = {link.source, link.target};
  const NeighborList first_steps[2] = {view.Neighbors(ends[0]),
                                       view.Neighbors(ends[1])};
  Random random(seed);
  WalkRecord record;
  for (int walk = 0; walk < options.max_nodes; ++walk) {
    const int end = walk % 2;
    if (first_steps[end].empty()) continue;
    NodeId at = first_steps[end][random.Below(
        static_cast<uint32_t>(first_steps[end].size()))];
    for (int hop = 1;; ++hop) {
      if (at == ends[1 - end] && at != ends[end]) break;  // arrived
      if (at != ends[end]) record.Visit(at, end);
      if (hop == options.max_hops) break;
      const NeighborList neighbors = view.Neighbors(at);
      at = neighbors[random.Below(static_cast<uint32_t>(neighbors.size()))];
    }
  }
  const std::vector<NodeId> between =
      record.Best(static_cast<size_t>(options.max_nodes) - 2);
  return AssembleLinkContext(view, link, between, options.max_hops);
}

}  // namespace

absl::StatusOr<ContextStrategy> ParseContextStrategy(std::string_view name) {
  if (name == kShortestName) return ContextStrategy::kShortestPaths;
  if (name == kRandomName) return ContextStrategy::kRandomWalks;
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown context strategy '", absl::string_view(name.data(), name.size()),
      "': use shortest or random"));
}

std::string_view ContextStrategyName(ContextStrategy strategy) {
  return strategy == ContextStrategy::kShortestPaths ? kShortestName
                                                     : kRandomName;
}

absl::Status ContextOptions::Validate() const {
  SLICE_RETURN_IF_ERROR(CheckBounds("max_nodes", max_nodes, 2, 64));
  SLICE_RETURN_IF_ERROR(CheckBounds("max_hops", max_hops, 1, 16));
  SLICE_RETURN_IF_ERROR(CheckBounds("max_degree", max_degree, 1, 1000000));
  return CheckBounds("max_expanded_arcs", max_expanded_arcs, 1, 100000000);
}

uint64_t ContextSeed(uint64_t bundle_seed, std::string_view relation,
                     std::string_view source_key, std::string_view target_key,
                     int context_index) {
  uint64_t seed = MixBits(bundle_seed);
  for (const std::string_view name : {relation, source_key, target_key}) {
    seed = CombineHash(seed, HashBytes(name));
  }
  return CombineHash(seed, static_cast<uint64_t>(context_index));
}

ContextSubgraph ContextGenerator::Cut(const GraphView& view, const Link& link,
                                      uint64_t seed) const {
  if (options_.strategy == ContextStrategy::kShortestPaths) {
    return CutShortestPaths(view, link, options_);
  }
  return CutRandomWalks(view, link, options_, seed);
}

ContextSubgraph ContextGenerator::CutAround(const GraphView& view, NodeId node,
                                            uint64_t seed) const {
  const size_t most = static_cast<size_t>(options_.max_nodes);
  Random random(seed);
  std::vector<NodeId> nodes = {node};
  NodeId at = node;
  for (int step = 0; step < kStepsPerNode * options_.max_nodes; ++step) {
    if (nodes.size() == most) break;
    const NeighborList neighbors = view.Neighbors(at);
    if (neighbors.empty()) break;
    at = neighbors[random.Below(static_cast<uint32_t>(neighbors.size()))];
    if (std::find(nodes.begin(), nodes.end(), at) == nodes.end()) {
      nodes.push_back(at);
    }
  }
  return AssembleNodeContext(view, nodes);
}

}  // namespace slice
