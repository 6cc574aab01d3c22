#include "graphstore/schema_fit.h"

#include <span>

namespace slice {

bool FitsSchema(const GraphSnapshot& graph, const RelationSchema& schema,
                NodeId node, GraphSlot place) {
  if (schema.links(place.relation) == 0) return true;
  if (!schema.typed())
    return !ShutOutBy(graph, schema, node, place).has_value();
  return schema.HasType(place.relation, place.place, graph.Type(node));
}

bool FitsSchema(const GraphSnapshot& graph, const RelationSchema& schema,
                const Link& link) {
  return FitsSchema(graph, schema, link.source,
                    {link.relation, Direction::kOut}) &&
         FitsSchema(graph, schema, link.target,
                    {link.relation, Direction::kIn});
}

std::optional<GraphSlot> ShutOutBy(const GraphSnapshot& graph,
                                   const RelationSchema& schema, NodeId node,
                                   GraphSlot place) {
  const SlotExclusions& exclusions = schema.exclusions();
  if (exclusions.empty()) return std::nullopt;
  std::optional<GraphSlot> most;
  for (const Direction own : {Direction::kOut, Direction::kIn}) {
    graph.ForEachSlot(
        node, own, [&](RelationId relation, std::span<const NodeId>) {
          if (!exclusions.Exclude({relation, own}, place)) return;
          if (!most || schema.links(relation) > schema.links(most->relation))
            most = {relation, own};
        });
  }
  return most;
}

}  // namespace slice
