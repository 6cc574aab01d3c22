// Cuts a context in two steps: a strategy chooses the nodes between the ends,
// and AssembleLinkContext() makes tokens, edges and features of them. Only the
// strategy kTypedPaths is different: CutTypedPaths() makes its whole context
// (context/path_context.h).
//
// A link from a node to itself has no paths between its ends, so only
// kRandomWalks and kKhop choose nodes for it. When no node was chosen, the
// least connected neighbours of the ends join the context, so that the network
// has something to attend to. Scratch memory is kept per thread.
#include "context/context_generator.h"

#include <algorithm>
#include <array>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "common/random.h"
#include "context/beam_paths.h"
#include "context/context_assembly.h"
#include "context/khop_nodes.h"
#include "context/neighbor_sample.h"
#include "context/path_context.h"
#include "context/pattern_paths.h"
#include "context/shortest_path_search.h"
#include "context/simple_path_search.h"
#include "context/walk_nodes.h"

namespace slice {
namespace {

// Where a strategy finds no node, each end adds kLonelyNeighbors of its
// neighbours, chosen from a sample of kLonelySample.
constexpr size_t kLonelyNeighbors = 2;
constexpr size_t kLonelySample = 64;

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

}  // namespace

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
  // These two strategies also work when both ends are one node; paths need two.
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
  // A path that did not fit into max_nodes still tells the distance.
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
