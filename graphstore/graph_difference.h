// The changes that make one graph of another.
#ifndef SLICE_GRAPHSTORE_GRAPH_DIFFERENCE_H_
#define SLICE_GRAPHSTORE_GRAPH_DIFFERENCE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_changes.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// Changes that, applied to `from` one after the other, make a graph with the
// nodes, links and weights of `to`. Nodes are matched by key, types and
// relations by name; nodes that `from` lacks get the next ids, in the order
// that they have in `to`. So if `to` is a version of `from`, all ids come out
// as those of `to`, also those of removed nodes. FAILED_PRECONDITION when
// `from` lacks a relation of a link of `to`. O(nodes + links).
absl::StatusOr<std::vector<GraphChanges>> ChangesBetween(
    const GraphSnapshot& from, const GraphSnapshot& to);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_DIFFERENCE_H_
