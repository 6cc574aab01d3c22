// Vectors for nodes that have none of their own.
#ifndef SLICE_TRAINER_EMBEDDING_TYPE_MEANS_H_
#define SLICE_TRAINER_EMBEDDING_TYPE_MEANS_H_

#include <cstddef>
#include <vector>

#include "graphstore/graph_snapshot.h"

namespace slice {

// Gives every node that is not in `has_vector` ([nodes]) the mean vector of the
// nodes of its type that are, of all that are when its type has none, zeros
// when there are none at all. `vectors` is [nodes, dim] float32, row-major.
// Returns how many nodes it filled.
size_t FillWithTypeMeans(const GraphSnapshot& snapshot,
                         const std::vector<bool>& has_vector, size_t dim,
                         std::vector<float>& vectors);

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_TYPE_MEANS_H_
