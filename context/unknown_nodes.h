// What a model reads of the nodes that its bundle does not know, because they
// came to the graph after training.
#ifndef SLICE_CONTEXT_UNKNOWN_NODES_H_
#define SLICE_CONTEXT_UNKNOWN_NODES_H_

#include <cstddef>
#include <span>
#include <vector>

#include "context/node_embeddings.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// Immutable; thread-safe.
class UnknownNodes {
 public:
  // `embeddings` are those of the nodes of `trained`, the graph of the bundle.
  UnknownNodes(const NodeEmbeddings& embeddings, const GraphSnapshot& trained);

  // How many nodes the bundle knows: those of the lowest ids.
  size_t known() const { return known_; }
  // Whether the bundle has no embedding for `node`.
  bool IsUnknown(NodeId node) const { return node >= known_; }
  // The mean embedding of the nodes of this type; of all nodes when the bundle
  // knows no node of it. [dim]
  std::span<const float> EmbeddingOf(NodeTypeId type) const;

 private:
  size_t known_ = 0;
  size_t dim_ = 0;
  size_t types_ = 0;
  std::vector<float> means_;  // [types + 1, dim]; the last row is of all nodes
};

}  // namespace slice

#endif  // SLICE_CONTEXT_UNKNOWN_NODES_H_
