#include "context/slot_candidates.h"

#include <algorithm>

#include "graphstore/schema_fit.h"
namespace slice {

std::vector<NodeTypeId> SlotTypes(const GraphSnapshot& snapshot,
                                  RelationId relation, Direction wanted_end) {
  std::vector<bool> seen(snapshot.node_type_count(), false);
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    if (!snapshot.Neighbors(node, relation, Reverse(wanted_end)).empty()) {
      seen[snapshot.Type(node)] = true;
    }
  }
  std::vector<NodeTypeId> types;
  for (size_t type = 0; type < seen.size(); ++type) {
    if (seen[type]) types.push_back(static_cast<NodeTypeId>(type));
  }
  return types;
}

std::vector<NodeId> NodesOfTypes(const GraphSnapshot& snapshot,
                                 std::span<const NodeTypeId> types) {
  std::vector<bool> wanted(snapshot.node_type_count(), types.empty());
  for (const NodeTypeId type : types) wanted[type] = true;
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    if (wanted[snapshot.Type(node)] && !snapshot.IsRemoved(node)) {
      nodes.push_back(node);
    }
  }
  return nodes;
}

std::vector<NodeId> SlotCandidates(const GraphSnapshot& snapshot,
                                   RelationId relation, Direction wanted_end) {
  return NodesOfTypes(snapshot, SlotTypes(snapshot, relation, wanted_end));
}

void EraseUnfit(const GraphSnapshot& snapshot, const RelationSchema& schema,
                RelationId relation, Direction wanted_end,
                std::vector<NodeId>& candidates) {
  const GraphSlot place = {relation, Reverse(wanted_end)};
  std::erase_if(candidates, [&](NodeId node) {
    return !FitsSchema(snapshot, schema, node, place);
  });
}

void EraseLinked(const GraphSnapshot& snapshot, const EndQuestion& question,
                 std::vector<NodeId>& candidates) {
  const auto linked = snapshot.Neighbors(question.anchor, question.relation,
                                         question.direction);
  std::erase_if(candidates, [&](NodeId node) {
    return std::binary_search(linked.begin(), linked.end(), node);
  });
}

}  // namespace slice
