// Whether nodes of a graph fit in the places of its relations. The schema is
// that of the graph or, where the graph has changed since a model was trained
// on it, that of the graph as it was then.
#ifndef SLICE_GRAPHSTORE_SCHEMA_FIT_H_
#define SLICE_GRAPHSTORE_SCHEMA_FIT_H_

#include <optional>

#include "graphstore/graph_snapshot.h"
#include "graphstore/relation_schema.h"
#include "graphstore/types.h"

namespace slice {

// REQUIRES of all: `graph` has the types and relations of `schema`, with the
// same ids; it may have more types.

// Whether the node fits in the place. Every node fits when the relation has no
// links in the schema.
bool FitsSchema(const GraphSnapshot& graph, const RelationSchema& schema,
                NodeId node, GraphSlot place);
// Whether both ends of the link fit.
bool FitsSchema(const GraphSnapshot& graph, const RelationSchema& schema,
                const Link& link);

// In a graph of one type: the slot of the node that shuts the place out, the
// one with the most links; none when the node fits. O(slots of the node).
std::optional<GraphSlot> ShutOutBy(const GraphSnapshot& graph,
                                   const RelationSchema& schema, NodeId node,
                                   GraphSlot place);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_SCHEMA_FIT_H_
