// What a model reads of the nodes that its bundle does not know, because they
// came to the graph after training.
#ifndef SLICE_CONTEXT_UNKNOWN_NODES_H_
#define SLICE_CONTEXT_UNKNOWN_NODES_H_

#include <cstddef>
#include <span>
#include <vector>

#include "context/node_embeddings.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_view.h"

namespace slice {

// Immutable; thread-safe.
class UnknownNodes {
 public:
  // `embeddings` are those of the nodes of `trained`, the graph of the bundle.
  // They must outlive the object.
  UnknownNodes(const NodeEmbeddings& embeddings, const GraphSnapshot& trained);

  // How many nodes the bundle knows: those of the lowest ids.
  size_t known() const { return known_; }
  // Whether the bundle has no embedding for `node`.
  bool IsUnknown(NodeId node) const { return node >= known_; }

  // The mean embedding of the nodes of this type; of all nodes when the bundle
  // knows no node of it. [dim]
  std::span<const float> MeanOf(NodeTypeId type) const;

  // An embedding for a node by its visible neighbours that the bundle knows:
  // their mean, with the mean of its type as one neighbour more, as long as
  // nodes of its type are (root mean square). Of more than kMostNeighbors, a
  // strided sample. Without such neighbours: MeanOf its type. [dim]
  static constexpr size_t kMostNeighbors = 128;
  void Embed(const GraphView& view, NodeId node,
             std::vector<float>& values) const;

 private:
  size_t GroupOf(NodeTypeId type) const;

  NodeEmbeddings embeddings_;
  size_t known_ = 0;
  size_t dim_ = 0;
  size_t types_ = 0;
  // By type; the last is for all nodes.
  std::vector<float> means_;    // [types + 1, dim]
  std::vector<float> lengths_;  // [types + 1]: root mean square of the lengths
};

}  // namespace slice

#endif  // SLICE_CONTEXT_UNKNOWN_NODES_H_
