// How popular the neighbours of a node are: evidence about a link whose ends no
// path joins.
#ifndef SLICE_CONTEXT_END_POPULARITY_H_
#define SLICE_CONTEXT_END_POPULARITY_H_

#include <cstddef>

#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// Each function visits at most `limit` visible neighbours of a node, a strided
// sample where there are more, and returns 0 for a node without neighbours.

// The mean of log1p(slot degree) over the nodes in one slot of `node`, where
// the slot degree counts the links of the same relation in the other direction.
// For kOut: over the targets of `node` by `relation`, log1p of how many such
// links come into each. Assortative mixing by degree (Newman, Physical Review
// Letters 2002), for each relation apart.
double MeanSlotPopularity(const GraphView& view, NodeId node,
                          RelationId relation, Direction direction,
                          size_t limit);

// The mean over the visible neighbours of log1p of their number of distinct
// neighbours.
double MeanNeighborDegree(const GraphView& view, NodeId node, size_t limit);

// The mean of MeanNeighborDegree over the visible neighbours.
double MeanSecondNeighborDegree(const GraphView& view, NodeId node,
                                size_t limit);

}  // namespace slice

#endif  // SLICE_CONTEXT_END_POPULARITY_H_
