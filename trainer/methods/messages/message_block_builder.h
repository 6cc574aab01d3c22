// Cuts blocks of message passing from a graph.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_BLOCK_BUILDER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_BLOCK_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trainer/methods/messages/message_block.h"
#include "trainer/methods/messages/message_graph.h"

namespace slice {

// How to cut a block.
struct BlockOptions {
  HiddenLinks hidden;    // these links are no arcs of the block
  bool closed = false;   // whether arcs come from destinations alone
  size_t most_arcs = 0;  // into a node, without self arcs; 0: all
  uint64_t seed = 0;     // of the sample
};

// Cuts blocks from a graph. Thread-compatible. The graph must outlive it.
class BlockBuilder {
 public:
  // Takes 4 bytes per node of the graph.
  BlockBuilder(const MessageGraph& graph, int threads);

  // The arcs into a node depend on the options and on the node alone, not on
  // the other destinations or the number of threads. REQUIRES: destinations are
  // distinct.
  MessageBlock Build(std::span<const NodeId> destinations,
                     const BlockOptions& options);

 private:
  struct Rows;  // the chosen arcs of some destinations

  void AddRow(NodeId node, const BlockOptions& options, Rows& rows) const;
  void PlaceDestinations(MessageBlock& block);
  void PlaceSources(const std::vector<Rows>& pieces, MessageBlock& block);
  void CountDegrees(const BlockOptions& options, MessageBlock& block) const;

  const MessageGraph& graph_;
  const int threads_;
  // [nodes]: the position in the block; kNoPosition between calls.
  std::vector<uint32_t> position_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_BLOCK_BUILDER_H_
