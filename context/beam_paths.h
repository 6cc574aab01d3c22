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
  int max_hops = 6;      // of a path, target included
  int beam_width = 2;    // neighbours that continue a path
  int max_degree = 500;  // neighbours looked at to choose these by similarity
};

// Random walks between two nodes (paper, section 3.2.1): beam_width visible
// neighbours, drawn without replacement, continue each path, at most 256 paths
// at a time. A path is complete
// when its last node is linked to the target: the published program waits until
// the target itself is drawn, which on larger graphs it never is. The nodes of
// complete paths, in the order of their completion, as far as paths fit into
// `room` whole. REQUIRES: link.source != link.target.
NodesBetween FindRandomPathNodes(const GraphView& view,
                                 const BeamLimits& limits, const Link& link,
                                 uint64_t seed, size_t room);

// The same, continued by the neighbours whose embeddings are most similar to
// both ends (sum of the two cosines; equal ones by id). Needs no seed.
NodesBetween FindCoherentPathNodes(const GraphView& view,
                                   const BeamLimits& limits,
                                   const NodeEmbeddings& embeddings,
                                   const Link& link, size_t room);

}  // namespace slice

#endif  // SLICE_CONTEXT_BEAM_PATHS_H_
