#include "graphstore/graph_summary.h"

#include <algorithm>
#include <bit>

namespace slice {
namespace {

// The bucket of a degree: 0 for degree 0, otherwise 1 + floor(log2(degree)).
size_t BucketOf(uint64_t degree) {
  return static_cast<size_t>(std::bit_width(degree));
}

DegreeBucket EmptyBucket(size_t bucket) {
  if (bucket == 0) return {};
  return {uint64_t{1} << (bucket - 1), (uint64_t{1} << bucket) - 1, 0};
}

}  // namespace

GraphSummary SummarizeGraph(const GraphSnapshot& graph, size_t hub_count) {
  GraphSummary summary;
  summary.type_nodes.resize(graph.node_type_count());
  summary.relations.resize(graph.relation_count());
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    if (graph.IsRemoved(node)) continue;
    ++summary.type_nodes[graph.Type(node)];
    const ArcSpan out = graph.Arcs(node, Direction::kOut);
    const ArcSpan in = graph.Arcs(node, Direction::kIn);
    graph.ForEachSlot(
        node, Direction::kOut,
        [&](RelationId relation, std::span<const NodeId> targets) {
          ++summary.relations[relation].sources;
          summary.relations[relation].links += targets.size();
        });
    graph.ForEachSlot(node, Direction::kIn,
                      [&](RelationId relation, std::span<const NodeId>) {
                        ++summary.relations[relation].targets;
                      });
    summary.self_loops +=
        std::count(out.neighbors.begin(), out.neighbors.end(), node);

    const uint64_t links = out.size() + in.size();
    summary.unlinked_nodes += links == 0;
    while (summary.degrees.size() <= BucketOf(links))
      summary.degrees.push_back(EmptyBucket(summary.degrees.size()));
    ++summary.degrees[BucketOf(links)].nodes;
    if (links > 0) summary.hubs.push_back({node, links});
  }
  const auto more = [](const Hub& a, const Hub& b) {
    return a.links != b.links ? a.links > b.links : a.node < b.node;
  };
  const size_t kept = std::min(hub_count, summary.hubs.size());
  std::partial_sort(summary.hubs.begin(), summary.hubs.begin() + kept,
                    summary.hubs.end(), more);
  summary.hubs.resize(kept);
  return summary;
}

}  // namespace slice
