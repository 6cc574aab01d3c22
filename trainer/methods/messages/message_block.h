// What one layer of message passing works on: some nodes that hear, the nodes
// that they hear of, and the arcs between. The whole graph is the block of all
// nodes; a sampled block has at most so many arcs into a node.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_BLOCK_H_
#define SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_BLOCK_H_

#include <cstdint>
#include <span>
#include <vector>

#include "trainer/methods/messages/message_graph.h"

namespace slice {

// Arcs are by destination, and within by (label, neighbour), the self arc
// first.
struct MessageBlock {
  size_t source_count() const { return nodes.size(); }
  size_t arc_count() const { return source.size(); }

  size_t destination_count = 0;
  // [sources]; the first destination_count are the destinations.
  std::vector<NodeId> nodes;
  std::vector<uint64_t> row_start = {0};  // [destinations + 1], into arcs

  // [arcs]
  std::vector<uint32_t> source;       // position in `nodes`
  std::vector<uint32_t> destination;  // likewise
  std::vector<uint32_t> label;
  // How many visible arcs one stands for: 1 where none was left out.
  std::vector<float> scale;
  // Visible arcs into the destination that have the label.
  std::vector<float> like_arcs;

  // Visible arcs into each node, [sources]; self arcs are not counted.
  std::vector<float> degree;

  // The same arcs by source, for gradients. FillColumns() makes it.
  std::vector<uint64_t> column_start;  // [sources + 1], into column_arcs
  std::vector<uint32_t> column_arcs;   // [arcs]

  void FillColumns();
};

// [arcs]: what each stands for, over sqrt(d_i d_j), the degrees of its ends
// (Kipf and Welling, ICLR 2017); `self_arcs` count as one more.
std::vector<float> SymmetricWeights(const MessageBlock& block, bool self_arcs);

// Pairs of nodes as arcs, from the second to the first, by the first; of nodes
// 0 .. node_count - 1, whose numbers are left out, as are labels and scales.
// `place` [pairs] receives which arc a pair is.
MessageBlock BlockOfPairs(std::span<const uint32_t> first,
                          std::span<const uint32_t> second, size_t node_count,
                          std::vector<uint32_t>& place);

// How a block is cut.
struct BlockOptions {
  HiddenLinks hidden;
  size_t most_arcs = 0;  // into a node, self arcs apart; 0: all
  uint64_t seed = 0;     // of the choice
};

// Thread-compatible. The graph must outlive it.
class BlockBuilder {
 public:
  // 4 bytes per node of the graph.
  BlockBuilder(const MessageGraph& graph, int threads);

  // The arcs of a node depend on the options and the node alone: not on the
  // other destinations, nor on threads. REQUIRES: destinations differ.
  MessageBlock Build(std::span<const NodeId> destinations,
                     const BlockOptions& options);

 private:
  struct Rows;  // chosen arcs of some destinations

  void AddRow(NodeId node, const BlockOptions& options, Rows& rows) const;
  void PlaceSources(const std::vector<Rows>& pieces, MessageBlock& block);
  void CountDegrees(const BlockOptions& options, MessageBlock& block) const;

  const MessageGraph& graph_;
  const int threads_;
  std::vector<uint32_t> position_;  // [nodes] in the block; between, none
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_BLOCK_H_
