// How popular the company of a node is: what an end tells of the other one
// when no path joins them.
#ifndef SLICE_CONTEXT_END_POPULARITY_H_
#define SLICE_CONTEXT_END_POPULARITY_H_

#include <cstddef>

#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// All look at no more than `limit` neighbours of a node, a strided sample of
// the visible ones, and are 0 without any.

// Over the nodes that visible links of `relation` in `direction` join to
// `node`, the mean of log1p of how many such links each has: for the targets of
// a source, their links of the relation coming in. Assortative mixing by degree
// (Newman, Physical Review Letters 2002), relation by relation.
double MeanSlotPopularity(const GraphView& view, NodeId node,
                          RelationId relation, Direction direction,
                          size_t limit);

// The mean of log1p of the distinct neighbours of the visible neighbours.
double MeanNeighborDegree(const GraphView& view, NodeId node, size_t limit);

// The mean of MeanNeighborDegree over the visible neighbours.
double MeanSecondNeighborDegree(const GraphView& view, NodeId node,
                                size_t limit);

}  // namespace slice

#endif  // SLICE_CONTEXT_END_POPULARITY_H_
