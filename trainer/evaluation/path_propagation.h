// Sparse propagation from one node: path weights to all nodes at once.
#ifndef SLICE_TRAINER_EVALUATION_PATH_PROPAGATION_H_
#define SLICE_TRAINER_EVALUATION_PATH_PROPAGATION_H_

#include <vector>

#include "graphstore/graph_view.h"

namespace slice {

// For every node v, the sum of 1 / (d_x d_y) over the paths source - x - y - v
// where y is not the source; d counts visible distinct neighbours. Nothing is
// sampled. When v is a neighbour of the source, paths through v itself (x = v)
// count as well, and the weight is too large.
// O(sum over the nodes y within two hops of d_y).
std::vector<double> PropagateThreePaths(const GraphView& view, NodeId source);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_PATH_PROPAGATION_H_
