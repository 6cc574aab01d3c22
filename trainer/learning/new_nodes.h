// A graph with one node more of each type: a node that has no link yet and that
// no table and no embedding knows. Training puts it in the place of an end of
// some examples, since users ask about such nodes and the links of a graph say
// nothing of them (docs/model.md, "New nodes").
#ifndef SLICE_TRAINER_LEARNING_NEW_NODES_H_
#define SLICE_TRAINER_LEARNING_NEW_NODES_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "context/encoded_link.h"
#include "context/node_embeddings.h"
#include "context/unknown_nodes.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"

namespace slice {

// Immutable; thread-safe.
class NewNodes {
 public:
  // `embeddings` are those of the nodes of `graph`, and must outlive the
  // result. Returns the errors of GraphSnapshot::Apply().
  static absl::StatusOr<std::shared_ptr<const NewNodes>> Add(
      const GraphSnapshot& graph, const NodeEmbeddings& embeddings);

  // `graph` with the new nodes.
  const GraphSnapshot& graph() const { return *graph_; }

  // The new node of the type that `node` has. REQUIRES: `node` is one of the
  // nodes of the graph without the new ones.
  NodeId InPlaceOf(NodeId node) const;

  // What the network reads of a new node, as the server gives it.
  UnknownEmbedding EmbeddingOf(NodeId new_node) const {
    const auto mean = unknown_.MeanOf(graph_->Type(new_node));
    return {new_node, {mean.begin(), mean.end()}};
  }

 private:
  NewNodes(std::shared_ptr<const GraphSnapshot> graph, UnknownNodes unknown)
      : graph_(std::move(graph)), unknown_(std::move(unknown)) {}

  std::shared_ptr<const GraphSnapshot> graph_;
  UnknownNodes unknown_;
};

// The share of positives with a new node. In a small graph, `share` would be
// too few to learn from: then at least 300 of all `links`, but at most 6 %.
double NewNodeShareFor(double share, uint64_t links);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_NEW_NODES_H_
