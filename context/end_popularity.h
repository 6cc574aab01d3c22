// How popular the company of a node is: what an end tells of the other one
// when no path joins them.
#ifndef SLICE_CONTEXT_END_POPULARITY_H_
#define SLICE_CONTEXT_END_POPULARITY_H_

#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// Both look at no more than 64 neighbours, a strided sample of the visible
// ones, and are 0 without any.

// Over the nodes that visible links of `relation` in `direction` join to
// `node`, the mean of log1p of how many such links each has: for the targets of
// a source, their links of the relation coming in. Assortative mixing by degree
// (Newman, Physical Review Letters 2002), relation by relation.
double MeanSlotPopularity(const GraphView& view, NodeId node,
                          RelationId relation, Direction direction);

// The mean of log1p of the distinct neighbours of the visible neighbours.
double MeanNeighborDegree(const GraphView& view, NodeId node);

}  // namespace slice

#endif  // SLICE_CONTEXT_END_POPULARITY_H_
