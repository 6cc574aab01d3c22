// Vectors for nodes that have none of their own.
#ifndef SLICE_TRAINER_EMBEDDING_TYPE_MEANS_H_
#define SLICE_TRAINER_EMBEDDING_TYPE_MEANS_H_

#include <cstddef>
#include <vector>

#include "graphstore/graph_snapshot.h"

namespace slice {

// Fills the vectors of the nodes without one. `has_vector` is [nodes],
// `vectors` is [nodes, dim] float32, row-major. Such a node gets the mean
// vector of its type. When no node of its type has a vector, it gets the mean
// of all vectors, or zeros when there is no vector at all. Returns how many
// nodes were filled.
size_t FillWithTypeMeans(const GraphSnapshot& snapshot,
                         const std::vector<bool>& has_vector, size_t dim,
                         std::vector<float>& vectors);

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_TYPE_MEANS_H_
