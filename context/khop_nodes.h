// Strategy `khop`: the neighbourhood of the two ends, hop by hop, sampled.
#ifndef SLICE_CONTEXT_KHOP_NODES_H_
#define SLICE_CONTEXT_KHOP_NODES_H_

#include <cstdint>

#include "context/nodes_between.h"
#include "context/path_search_limits.h"
#include "graphstore/graph_view.h"

namespace slice {

// Nodes at most limits.max_hops hops from an end (paper, definition of the
// context subgraph), the nearest first (hops to the nearer end); of equally
// near ones those that both ends reach in so many hops, then the others in
// random order, as many as `room` takes. `hops` of the result is left at -1.
NodesBetween FindKhopNodes(const GraphView& view,
                           const PathSearchLimits& limits, const Link& link,
                           uint64_t seed, size_t room);

}  // namespace slice

#endif  // SLICE_CONTEXT_KHOP_NODES_H_
