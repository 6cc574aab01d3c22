#include "context/context_generator.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "context/beam_paths.h"
#include "context/context_assembly.h"
#include "context/khop_nodes.h"
#include "context/neighbor_sample.h"
#include "context/path_context.h"
#include "context/pattern_paths.h"
#include "context/shortest_paths.h"
#include "context/simple_paths.h"
#include "context/walk_nodes.h"

namespace slice {
namespace {

// Where no path joins the ends, each brings this many of its neighbours, chosen
// from a sample of that size.
constexpr size_t kLonelyNeighbors = 2;
constexpr size_t kLonelySample = 64;

absl::Status CheckBounds(const char* field, int value, int least, int most) {
  if (value >= least && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "context.", field, " is ", value, ", must be ", least, " to ", most));
}

// Adds up to `count` neighbours of `end` that are not yet in `between`, the
// least connected first.
void AddSpecificNeighbors(const GraphView& view, NodeId end, NodeId other_end,
                          size_t count, std::vector<NodeId>& between) {
  absl::InlinedVector<std::pair<size_t, NodeId>, kLonelySample> candidates;
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

void AddLonelyNeighbors(const GraphView& view, const Link& link, size_t room,
                        std::vector<NodeId>& between) {
  AddSpecificNeighbors(view, link.source, link.target,
                       std::min(room, kLonelyNeighbors), between);
  AddSpecificNeighbors(view, link.target, link.source,
                       std::min(room - between.size(), kLonelyNeighbors),
                       between);
}

void FindShortestPathNodes(const GraphView& view,
                           const PathSearchLimits& limits, const Link& link,
                           size_t room, NodesBetween& between) {
  thread_local ShortestPathSearch search;  // its scratch memory is reused
  thread_local std::vector<NodeId> inner;
  between.Clear();
  between.hops = search.Find(view, limits, link.source, link.target);
  while (between.hops > 0 && between.nodes.size() < room &&
         search.Next(inner)) {
    between.AddPath(inner, room);
  }
  between.truncated = search.truncated();
}

struct StrategyInfo {
  ContextStrategy strategy;
  std::string_view name;
  bool uses_seed;
};

constexpr StrategyInfo kStrategies[] = {
    {ContextStrategy::kTypedPaths, "paths", false},
    {ContextStrategy::kShortestPaths, "shortest", false},
    {ContextStrategy::kAllPaths, "all", false},
    {ContextStrategy::kPatternPaths, "pattern", false},
    {ContextStrategy::kRandomPaths, "random", true},
    {ContextStrategy::kCoherentPaths, "coherent", false},
    {ContextStrategy::kRandomWalks, "walks", true},
    {ContextStrategy::kKhop, "khop", true},
};

const StrategyInfo& InfoOf(ContextStrategy strategy) {
  return *std::find_if(
      std::begin(kStrategies), std::end(kStrategies),
      [&](const StrategyInfo& info) { return info.strategy == strategy; });
}

}  // namespace

absl::StatusOr<ContextStrategy> ParseContextStrategy(std::string_view name) {
  for (const StrategyInfo& info : kStrategies) {
    if (info.name == name) return info.strategy;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown context strategy '", absl::string_view(name.data(), name.size()),
      "': use one of ", ContextStrategyNames()));
}

std::string_view ContextStrategyName(ContextStrategy strategy) {
  return InfoOf(strategy).name;
}

std::span<const ContextStrategy> AllContextStrategies() {
  static const std::vector<ContextStrategy> all = [] {
    std::vector<ContextStrategy> strategies;
    for (const StrategyInfo& info : kStrategies) {
      strategies.push_back(info.strategy);
    }
    return strategies;
  }();
  return all;
}

std::string ContextStrategyNames() {
  std::string names;
  for (const StrategyInfo& info : kStrategies) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", std::string(info.name));
  }
  return names;
}

bool UsesSeed(ContextStrategy strategy) { return InfoOf(strategy).uses_seed; }

absl::StatusOr<NodeWalk> ParseNodeWalk(std::string_view name) {
  if (name == "chain") return NodeWalk::kChain;
  if (name == "beam") return NodeWalk::kTwoHopBeam;
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown walk '", absl::string_view(name.data(), name.size()),
      "': use chain or beam"));
}

absl::Status ContextOptions::Validate() const {
  SLICE_RETURN_IF_ERROR(CheckBounds("max_nodes", max_nodes, 2, 64));
  SLICE_RETURN_IF_ERROR(CheckBounds("max_hops", max_hops, 1, 16));
  SLICE_RETURN_IF_ERROR(CheckBounds("max_degree", max_degree, 1, 1000000));
  SLICE_RETURN_IF_ERROR(CheckBounds("beam_width", beam_width, 1, 64));
  SLICE_RETURN_IF_ERROR(
      CheckBounds("max_expanded_arcs", max_expanded_arcs, 1, 100000000));
  if (strategy == ContextStrategy::kPatternPaths && metapaths.empty()) {
    return absl::InvalidArgumentError(
        "context.metapaths is empty: the strategy pattern has nothing to "
        "follow");
  }
  return absl::OkStatus();
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

void ContextGenerator::FindNodes(const GraphView& view, const Link& link,
                                 uint64_t seed, size_t room,
                                 NodesBetween& between) const {
  const PathSearchLimits limits{options_.max_hops, options_.max_degree,
                                options_.max_expanded_arcs};
  const BeamLimits beam{options_.max_hops, options_.beam_width,
                        options_.max_degree};
  between.Clear();
  // Neighbourhoods are of one end as of two; paths need two.
  if (options_.strategy == ContextStrategy::kRandomWalks) {
    between = FindWalkNodes(view, options_.max_hops, link, seed, room);
    return;
  }
  if (options_.strategy == ContextStrategy::kKhop) {
    between = FindKhopNodes(view, limits, link, seed, room);
    return;
  }
  if (link.source == link.target) return;
  switch (options_.strategy) {
    case ContextStrategy::kAllPaths:
      between = FindSimplePathNodes(view, limits, link, room);
      return;
    case ContextStrategy::kPatternPaths:
      between = FindPatternNodes(view, limits, options_.metapaths, link, room);
      return;
    case ContextStrategy::kRandomPaths:
      between = FindRandomPathNodes(view, beam, link, seed, room);
      return;
    case ContextStrategy::kCoherentPaths:
      between = FindCoherentPathNodes(view, beam, embeddings_, link, room);
      return;
    default:
      FindShortestPathNodes(view, limits, link, room, between);
  }
}

void ContextGenerator::Cut(const GraphView& view, const Link& link,
                           uint64_t seed, ContextSubgraph& context) const {
  if (options_.strategy == ContextStrategy::kTypedPaths) {
    CutTypedPaths(view, link, options_, context);
    return;
  }
  view.snapshot().Prefetch(std::array{link.source, link.target});
  thread_local NodesBetween between;  // its memory is reused
  const size_t room = static_cast<size_t>(options_.max_nodes) - 2;
  FindNodes(view, link, seed, room, between);
  if (between.nodes.empty()) {
    AddLonelyNeighbors(view, link, room, between.nodes);
  }
  AssembleLinkContext(view, link, between.nodes, options_.max_hops, context);
  context.truncated = between.truncated;
  // A path too long for max_nodes leaves its length.
  if (context.distance < 0) context.distance = between.hops;
}

ContextSubgraph ContextGenerator::Cut(const GraphView& view, const Link& link,
                                      uint64_t seed) const {
  ContextSubgraph context;
  Cut(view, link, seed, context);
  return context;
}

ContextSubgraph ContextGenerator::CutAround(const GraphView& view, NodeId node,
                                            uint64_t seed,
                                            NodeWalk walk) const {
  const size_t most = static_cast<size_t>(options_.max_nodes);
  return AssembleNodeContext(
      view, walk == NodeWalk::kTwoHopBeam
                ? DrawTwoHopBeam(view, node, options_.beam_width, seed, most)
                : WalkChain(view, node, seed, most));
}

}  // namespace slice
