#include "graphstore/relation_schema.h"

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

RelationSchema::RelationSchema(const ArcRows& out, const ArcRows& in,
                               const GraphCatalogue& catalogue)
    : typed_(catalogue.node_types.size() > 1), of_(catalogue.relations.size()) {
  if (!typed_) {
    exclusions_ = SlotExclusions(out, in, catalogue.nodes.size(), of_.size());
  }
  const std::vector<uint64_t> none(catalogue.node_types.size(), 0);
  std::array<std::vector<std::vector<uint64_t>>, 2> counts;
  counts.fill({of_.size(), none});
  for (NodeId node = 0; node < catalogue.nodes.size(); ++node) {
    const ArcSpan arcs = out.Arcs(node);
    for (size_t i = 0; i < arcs.size(); ++i) {
      const RelationId relation = arcs.relations[i];
      const NodeId target = arcs.neighbors[i];
      ++of_[relation].links;
      of_[relation].self_loops += target == node;
      ++counts[0][relation][catalogue.nodes[node].type];
      ++counts[1][relation][catalogue.nodes[target].type];
    }
  }
  for (size_t relation = 0; relation < of_.size(); ++relation) {
    for (size_t place = 0; place < counts.size(); ++place) {
      of_[relation].types[place] = RankTypes(counts[place][relation]);
    }
  }
}

bool RelationSchema::HasType(RelationId relation, Direction place,
                             NodeTypeId type) const {
  const std::span<const NodeTypeId> seen = types(relation, place);
  return std::find(seen.begin(), seen.end(), type) != seen.end();
}

}  // namespace slice
