// Strategies `random` and `coherent`: a beam of partial paths that leaves the
// source and grows by a few neighbours of each path's last node until paths
// meet the target.
#ifndef SLICE_CONTEXT_BEAM_PATHS_H_
#define SLICE_CONTEXT_BEAM_PATHS_H_

#include <cstdint>

#include "context/node_embeddings.h"
#include "context/nodes_between.h"
#include "graphstore/graph_view.h"

namespace slice {

struct BeamLimits {
  int max_hops = 6;    // of a path, the step to the target included
  int beam_width = 2;  // neighbours that continue a path
  // coherent: neighbours whose similarity is computed; a strided sample where a
  // node has more.
  int max_degree = 500;
};

// Random walks between two nodes (paper, section 3.2.1). beam_width visible
// neighbours of its last node, drawn without replacement, continue each path;
// at most 256 paths of one length are kept. A path is complete when its last
// node is linked to the target. (The published program waits until the target
// itself is drawn, which hardly happens on larger graphs.) Returns the nodes of
// complete paths in the order of completion; a path that does not fit into
// `room` whole is left out. REQUIRES: link.source != link.target.
NodesBetween FindRandomPathNodes(const GraphView& view,
                                 const BeamLimits& limits, const Link& link,
                                 uint64_t seed, size_t room);

// Like FindRandomPathNodes, but the neighbours whose embeddings are most
// similar to both ends continue a path: those with the greatest sum of the two
// cosines, then the smallest ids.
NodesBetween FindCoherentPathNodes(const GraphView& view,
                                   const BeamLimits& limits,
                                   const NodeEmbeddings& embeddings,
                                   const Link& link, size_t room);

}  // namespace slice

#endif  // SLICE_CONTEXT_BEAM_PATHS_H_
