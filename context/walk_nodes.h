// Strategy `walks`, and the two walks around a single node for pre-training.
#ifndef SLICE_CONTEXT_WALK_NODES_H_
#define SLICE_CONTEXT_WALK_NODES_H_

#include <cstdint>
#include <vector>

#include "context/nodes_between.h"
#include "graphstore/graph_view.h"

namespace slice {

// Collects up to `room` nodes on `room` + 2 random walks of at most `max_hops`
// hops each. The walks start at the source and the target in turn; a walk that
// arrives at the other end stops there. Nodes that walks from both ends visit
// come first. Apart from that, nodes come in the order of their first visit.
NodesBetween FindWalkNodes(const GraphView& view, int max_hops,
                           const Link& link, uint64_t seed, size_t room);

// The distinct nodes of a random walk from `node`, `node` first, at most
// `most`. The walk ends after 4 * `most` steps even if it has met fewer nodes.
std::vector<NodeId> WalkChain(const GraphView& view, NodeId node, uint64_t seed,
                              size_t most);

// `node`, up to `beam_width` of its neighbours, drawn without replacement, and
// up to `beam_width` neighbours of each of these. The nodes are distinct, at
// most `most`.
std::vector<NodeId> DrawTwoHopBeam(const GraphView& view, NodeId node,
                                   int beam_width, uint64_t seed, size_t most);

}  // namespace slice

#endif  // SLICE_CONTEXT_WALK_NODES_H_
