// Keeps those nodes of a row of neighbours that are in a set. This is the
// innermost loop of path searches, with vector instructions where the processor
// has them. Rows are short. Few of their nodes are kept, and a processor could
// not predict which, so the loops have no branches.
#ifndef SLICE_CONTEXT_ROW_FILTER_H_
#define SLICE_CONTEXT_ROW_FILTER_H_

#include <cstddef>
#include <span>

#include "context/node_bits.h"
#include "graphstore/types.h"

namespace slice {

// The output must have room for this many nodes more than the row has.
inline constexpr size_t kRowFilterSlack = 16;

// Writes to `to` the nodes of `row` that are in `set`, in the order of the row,
// and returns their number. It may overwrite the rest of the output.
size_t KeepNodesIn(const NodeBits& set, std::span<const NodeId> row,
                   NodeId* to);

// The same for the nodes that are neither in `a` nor in `b`.
size_t KeepNodesInNeither(const NodeBits& a, const NodeBits& b,
                          std::span<const NodeId> row, NodeId* to);

// The same two filters without vector instructions.
size_t KeepNodesInPortably(const NodeBits& set, std::span<const NodeId> row,
                           NodeId* to);
size_t KeepNodesInNeitherPortably(const NodeBits& a, const NodeBits& b,
                                  std::span<const NodeId> row, NodeId* to);

}  // namespace slice

#endif  // SLICE_CONTEXT_ROW_FILTER_H_
