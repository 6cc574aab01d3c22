// What a GraphView notes of the arcs that it hides.
#ifndef SLICE_GRAPHSTORE_HIDDEN_ARCS_H_
#define SLICE_GRAPHSTORE_HIDDEN_ARCS_H_

#include <compare>

#include "absl/container/inlined_vector.h"
#include "graphstore/types.h"

namespace slice {

// Every arc between two nodes, low <= high.
struct HiddenPair {
  NodeId low, high;
  auto operator<=>(const HiddenPair&) const = default;
};

// All links of a relation from one source.
struct HiddenSlot {
  NodeId source;
  RelationId relation;
  auto operator<=>(const HiddenSlot&) const = default;
};

// An end of a hidden pair or link, or the source of a hidden slot, with the
// distinct neighbours that it loses, ascending. A node that is not listed loses
// `m` exactly when it is among the hidden neighbours of `m`.
struct ChangedNode {
  NodeId node;
  absl::InlinedVector<NodeId, 2> hidden_neighbors;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_HIDDEN_ARCS_H_
