// How popular the neighbours of a node are. This is evidence about a link even
// when no path joins its ends.
#ifndef SLICE_CONTEXT_END_POPULARITY_H_
#define SLICE_CONTEXT_END_POPULARITY_H_

#include <cstddef>

#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// Each function visits at most `limit` visible neighbours of a node, a strided
// sample where there are more, and returns 0 for a node without neighbours.

// The mean over the nodes in one slot of `node` of log1p(n), where n is the
// number of links of `relation` that such a node has in the other direction.
// For kOut: the mean over the targets of `node` by `relation`, with n the
// number of links of `relation` into the target. This is assortative mixing by
// degree (Newman, Physical Review Letters 2002), for one relation at a time.
double MeanSlotPopularity(const GraphView& view, NodeId node,
                          RelationId relation, Direction direction,
                          size_t limit);

// The mean over the visible neighbours x of log1p(n), where n is the number of
// distinct visible neighbours of x.
double MeanNeighborDegree(const GraphView& view, NodeId node, size_t limit);

// The mean of MeanNeighborDegree over the visible neighbours.
double MeanSecondNeighborDegree(const GraphView& view, NodeId node,
                                size_t limit);

}  // namespace slice

#endif  // SLICE_CONTEXT_END_POPULARITY_H_
