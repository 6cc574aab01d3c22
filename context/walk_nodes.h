// Strategy `walks`, and the nodes around a single node for pre-training.
#ifndef SLICE_CONTEXT_WALK_NODES_H_
#define SLICE_CONTEXT_WALK_NODES_H_

#include <cstdint>
#include <vector>

#include "context/nodes_between.h"
#include "graphstore/graph_view.h"

namespace slice {

// The nodes of `room` + 2 random walks of at most `max_hops` hops, in turn from
// either end until they arrive at the other: those met from both ends first,
// each by its first meeting.
NodesBetween FindWalkNodes(const GraphView& view, int max_hops,
                           const Link& link, uint64_t seed, size_t room);

// A walk from `node` over distinct nodes, itself first, at most `most`. Stops
// early where it only meets what it knows.
std::vector<NodeId> WalkChain(const GraphView& view, NodeId node, uint64_t seed,
                              size_t most);

// `node`, up to `beam_width` of its neighbours drawn without replacement, and
// as many neighbours of each of these: distinct, at most `most`.
std::vector<NodeId> DrawTwoHopBeam(const GraphView& view, NodeId node,
                                   int beam_width, uint64_t seed, size_t most);

}  // namespace slice

#endif  // SLICE_CONTEXT_WALK_NODES_H_
