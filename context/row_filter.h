// Which nodes of a row are in a set: the innermost loop of path searches, with
// vector instructions where the processor has them. Rows are short and few of
// their nodes are wanted, in no order that a branch could guess.
#ifndef SLICE_CONTEXT_ROW_FILTER_H_
#define SLICE_CONTEXT_ROW_FILTER_H_

#include <cstddef>
#include <span>

#include "context/node_bits.h"
#include "graphstore/types.h"

namespace slice {

// How many nodes beyond those of the row an output has to have room for.
inline constexpr size_t kRowFilterSlack = 16;

// Writes the nodes of `row` that are in `set`, in their order, to `to`, and
// returns how many they are. Whatever follows them is overwritten.
size_t KeepThoseIn(const NodeBits& set, std::span<const NodeId> row,
                   NodeId* to);

// The same with those that are in neither set.
size_t KeepThoseInNeither(const NodeBits& a, const NodeBits& b,
                          std::span<const NodeId> row, NodeId* to);

// The same without vector instructions.
size_t KeepThoseInPortably(const NodeBits& set, std::span<const NodeId> row,
                           NodeId* to);
size_t KeepThoseInNeitherPortably(const NodeBits& a, const NodeBits& b,
                                  std::span<const NodeId> row, NodeId* to);

}  // namespace slice

#endif  // SLICE_CONTEXT_ROW_FILTER_H_
