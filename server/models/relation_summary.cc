#include "server/models/relation_summary.h"

#include <algorithm>

namespace slice {
namespace {

// The types with a count above zero, the most frequent first.
std::vector<NodeTypeId> RankTypes(const std::vector<uint64_t>& counts) {
  std::vector<NodeTypeId> types;
  for (size_t type = 0; type < counts.size(); ++type) {
    if (counts[type] > 0) types.push_back(static_cast<NodeTypeId>(type));
  }
  std::stable_sort(
      types.begin(), types.end(),
      [&counts](NodeTypeId a, NodeTypeId b) { return counts[a] > counts[b]; });
  return types;
}

}  // namespace

std::vector<RelationSummary> SummarizeRelations(const GraphSnapshot& snapshot) {
  const std::vector<uint64_t> none(snapshot.node_type_count(), 0);
  std::vector<std::vector<uint64_t>> sources(snapshot.relation_count(), none);
  std::vector<std::vector<uint64_t>> targets(snapshot.relation_count(), none);
  std::vector<RelationSummary> summaries(snapshot.relation_count());
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    const ArcSpan arcs = snapshot.Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      const RelationId relation = arcs.relations[i];
      ++summaries[relation].links;
      ++sources[relation][snapshot.Type(node)];
      ++targets[relation][snapshot.Type(arcs.neighbors[i])];
    }
  }
  for (size_t relation = 0; relation < summaries.size(); ++relation) {
    summaries[relation].source_types = RankTypes(sources[relation]);
    summaries[relation].target_types = RankTypes(targets[relation]);
  }
  return summaries;
}

}  // namespace slice
