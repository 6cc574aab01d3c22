// The visible graph as a multiplex network: one layer per relation.
#ifndef SLICE_TRAINER_METHODS_WALKS_GATNE_LAYERED_GRAPH_H_
#define SLICE_TRAINER_METHODS_WALKS_GATNE_LAYERED_GRAPH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/random.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// The number of a node in a layer: dense, from 0, by node and then by relation.
// A node is in the layers of those relations that link it to another node.
using LayerNode = uint32_t;

// Rows of layer nodes, one for each layer node, one after another.
struct LayerRows {
  std::span<const LayerNode> Of(LayerNode row) const {
    return {nodes.data() + begins[row], nodes.data() + begins[row + 1]};
  }

  std::vector<uint64_t> begins = {0};  // [layer nodes + 1]
  std::vector<LayerNode> nodes;
};

// Each layer is undirected and has no self loops; parallel links count as one.
// Takes memory for the links and for the layers that a node is in, so that many
// relations cost nothing. Immutable; thread-safe.
class LayeredGraph {
 public:
  explicit LayeredGraph(const GraphView& view);

  size_t node_count() const { return first_.size() - 1; }
  size_t relation_count() const { return relation_count_; }
  // Over all layers.
  size_t layer_node_count() const { return nodes_.size(); }

  // The layer nodes of `node` are [FirstOf(node), FirstOf(node + 1)), by
  // relation. `node` may be node_count().
  LayerNode FirstOf(NodeId node) const { return first_[node]; }
  size_t LayersOf(NodeId node) const { return first_[node + 1] - first_[node]; }
  NodeId NodeOf(LayerNode layer_node) const { return nodes_[layer_node]; }
  RelationId RelationOf(LayerNode layer_node) const {
    return relations_[layer_node];
  }
  // The neighbours within the layer, at least one, ascending.
  std::span<const LayerNode> Neighbors(LayerNode layer_node) const {
    return neighbors_.Of(layer_node);
  }

  // At most `most` neighbours of each layer node, drawn without replacement.
  LayerRows SampleNeighbors(size_t most, uint64_t seed) const;

  // Walks within a layer from `start`, uniformly, over walk.size() layer nodes.
  // REQUIRES: `walk` is not empty.
  void Walk(LayerNode start, Random& random, std::span<LayerNode> walk) const;

 private:
  LayerNode Find(NodeId node, RelationId relation) const;

  size_t relation_count_;
  std::vector<LayerNode> first_ = {0};  // [nodes + 1]
  std::vector<NodeId> nodes_;           // [layer nodes]
  std::vector<RelationId> relations_;   // [layer nodes]
  LayerRows neighbors_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_GATNE_LAYERED_GRAPH_H_
