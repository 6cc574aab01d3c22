// Strategies `random` and `coherent`: searches that grow partial paths from the
// source, hop by hop. Each path is continued by a few neighbours of its last
// node, until some paths reach the target.
#ifndef SLICE_CONTEXT_BEAM_PATHS_H_
#define SLICE_CONTEXT_BEAM_PATHS_H_

#include <cstdint>

#include "context/node_embeddings.h"
#include "context/nodes_between.h"
#include "graphstore/graph_view.h"

namespace slice {

struct BeamLimits {
  int max_hops = 6;    // the most hops of a path, from source to target
  int beam_width = 2;  // how many neighbours continue a path
  // Strategy `coherent`: for how many neighbours of a node the similarity is
  // computed. Where a node has more, a strided sample of them is taken.
  int max_degree = 500;
};

// Finds nodes by random walks from the source to the target (paper, section
// 3.2.1). With each hop, a partial path is continued by up to limits.beam_width
// visible neighbours of its last node, drawn without replacement; at most 256
// paths are kept. A path is complete when its last node is linked to the
// target. (The published program waits until the target itself is drawn, which
// hardly happens on larger graphs.)
//
// Returns the nodes of the complete paths, in the order in which the paths are
// completed. A path is left out if not all of its nodes fit into `room`.
// REQUIRES: link.source != link.target.
NodesBetween FindRandomPathNodes(const GraphView& view,
                                 const BeamLimits& limits, const Link& link,
                                 uint64_t seed, size_t room);

// Like FindRandomPathNodes, except that nothing is drawn: a path is continued
// by those neighbours of its last node whose embeddings are most similar to
// both ends, by the sum of the two cosines. Of equally similar nodes, the
// smaller id comes first.
NodesBetween FindCoherentPathNodes(const GraphView& view,
                                   const BeamLimits& limits,
                                   const NodeEmbeddings& embeddings,
                                   const Link& link, size_t room);

}  // namespace slice

#endif  // SLICE_CONTEXT_BEAM_PATHS_H_
