// The input of one layer of message passing: destinations, which receive
// messages; sources, which send them; and the arcs between. The block of the
// whole graph has all nodes as destinations. A sampled block has at most a
// given number of arcs into a node. A BlockBuilder cuts blocks from a graph
// (message_block_builder.h).
#ifndef SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_BLOCK_H_
#define SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graphstore/types.h"

namespace slice {

struct LabelledSources;

// Arcs are sorted by destination, then by (label, neighbour). The self arc of a
// destination comes first.
struct MessageBlock {
  size_t source_count() const { return nodes.size(); }
  size_t arc_count() const { return source.size(); }

  size_t destination_count = 0;
  // [sources]; the first destination_count nodes are the destinations
  std::vector<NodeId> nodes;
  std::vector<uint64_t> row_start = {0};  // [destinations + 1], into arcs

  // [arcs]
  std::vector<uint32_t> source;       // position in `nodes`
  std::vector<uint32_t> destination;  // likewise, below destination_count
  std::vector<uint32_t> label;
  // How many visible arcs a sampled arc stands for: visible arcs / sampled arcs
  // of its destination. 1 without sampling.
  std::vector<float> scale;
  // The number of visible arcs into the destination that have the same label.
  std::vector<float> same_label_arcs;

  std::vector<uint32_t> type;  // [sources], of the nodes
  // Visible arcs into each node, [sources], without self arcs.
  std::vector<float> degree;

  // The same arcs by source, for gradients. FillColumns() fills these.
  std::vector<uint64_t> column_start;  // [sources + 1], into column_arcs
  std::vector<uint32_t> column_arcs;   // [arcs]

  // Null unless MessageGraphOptions::labelled_sources asks for them.
  std::shared_ptr<const LabelledSources> labelled_sources;

  void FillColumns();
};

// The weight of each arc: scale / sqrt(d_i d_j) with the degrees of both ends
// (Kipf and Welling, ICLR 2017). With `self_arcs` each degree counts one more.
std::vector<float> SymmetricWeights(const MessageBlock& block, bool self_arcs);

// A block whose arcs are pairs of nodes, each from the second node to the
// first. The nodes are 0 .. node_count - 1. Node ids, labels and scales are not
// filled. arc_of_pair[i] receives the arc of pair i.
MessageBlock BlockOfPairs(std::span<const uint32_t> first,
                          std::span<const uint32_t> second, size_t node_count,
                          std::vector<uint32_t>& arc_of_pair);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_BLOCK_H_
