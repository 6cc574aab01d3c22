// What a GraphView records about the arcs that it hides.
#ifndef SLICE_GRAPHSTORE_HIDDEN_ARCS_H_
#define SLICE_GRAPHSTORE_HIDDEN_ARCS_H_

#include <compare>

#include "absl/container/inlined_vector.h"
#include "graphstore/types.h"

namespace slice {

// Hides every arc between two nodes. REQUIRES: low <= high.
struct HiddenPair {
  NodeId low, high;
  auto operator<=>(const HiddenPair&) const = default;
};

// Hides all links of a relation from one source.
struct HiddenSlot {
  NodeId source;
  RelationId relation;
  auto operator<=>(const HiddenSlot&) const = default;
};

// An end of a hidden pair or link, or the source of a hidden slot. Other nodes
// have no entry: such a node loses a neighbour exactly when the entry of that
// neighbour lists the node.
struct ChangedNode {
  NodeId node;
  // The distinct neighbours that the node loses, ascending.
  absl::InlinedVector<NodeId, 2> hidden_neighbors;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_HIDDEN_ARCS_H_
