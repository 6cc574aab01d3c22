// A view of the table of global embeddings, for code that may not include
// model/.
#ifndef SLICE_CONTEXT_NODE_EMBEDDINGS_H_
#define SLICE_CONTEXT_NODE_EMBEDDINGS_H_

#include <cstddef>
#include <span>

#include "graphstore/types.h"

namespace slice {

// [nodes, dim] float32, row-major; not owned. Immutable; thread-safe.
struct NodeEmbeddings {
  std::span<const float> values;
  size_t dim = 0;

  bool empty() const { return values.empty(); }

  // Empty for a node without a row: one that was added after training.
  std::span<const float> Row(NodeId node) const {
    if ((size_t{node} + 1) * dim > values.size()) return {};
    return values.subspan(node * dim, dim);
  }
};

// Cosine of the angle between two rows; 0 where one is empty or zero.
double CosineSimilarity(std::span<const float> a, std::span<const float> b);

}  // namespace slice

#endif  // SLICE_CONTEXT_NODE_EMBEDDINGS_H_
