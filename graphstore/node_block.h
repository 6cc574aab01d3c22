// The records of nodes, as rows of a RowTable (graphstore/row_table.h).
#ifndef SLICE_GRAPHSTORE_NODE_BLOCK_H_
#define SLICE_GRAPHSTORE_NODE_BLOCK_H_

#include <cstddef>
#include <vector>

#include "graphstore/graph_data.h"

namespace slice {

struct NodeBlock {
  std::vector<NodeRecord> nodes;
  // Parallel to `nodes`, or empty: whether the node was removed. Its record
  // stays, so that its id can be given back to its key.
  std::vector<bool> removed;

  bool IsRemoved(size_t row) const { return !removed.empty() && removed[row]; }
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NODE_BLOCK_H_
