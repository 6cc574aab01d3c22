// The weights of the 3-paths from one node to all other nodes, computed at
// once.
#ifndef SLICE_TRAINER_EVALUATION_PATH_PROPAGATION_H_
#define SLICE_TRAINER_EVALUATION_PATH_PROPAGATION_H_

#include <vector>

#include "graphstore/graph_view.h"

namespace slice {

// Returns for every node v the sum of 1 / (d_x d_y) over the paths source - x -
// y - v where y is not the source; d_x is the number of visible distinct
// neighbours of x. Nothing is sampled. When v is a neighbour of the source,
// paths through v itself (x = v) count as well, so that its weight is too
// large.
std::vector<double> PropagateThreePaths(const GraphView& view, NodeId source);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_PATH_PROPAGATION_H_
