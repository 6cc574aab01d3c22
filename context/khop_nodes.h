// Strategy `khop`: the sampled neighbourhood of the two ends, hop by hop.
#ifndef SLICE_CONTEXT_KHOP_NODES_H_
#define SLICE_CONTEXT_KHOP_NODES_H_

#include <cstdint>

#include "context/nodes_between.h"
#include "context/path_search_limits.h"
#include "graphstore/graph_view.h"

namespace slice {

// Finds up to `room` nodes that are at most limits.max_hops hops away from an
// end (paper, definition of the context subgraph). They are
// ordered by the number of hops to the nearer end. Of equally near nodes, those
// that both ends reach with this number of hops come first; otherwise the order
// is random. `hops` of the result stays -1.
NodesBetween FindKhopNodes(const GraphView& view,
                           const PathSearchLimits& limits, const Link& link,
                           uint64_t seed, size_t room);

}  // namespace slice

#endif  // SLICE_CONTEXT_KHOP_NODES_H_
