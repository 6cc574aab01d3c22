// The sources of a block, once for each label of their arcs. Layers whose
// messages depend on the source and on the label, but not on the destination,
// compute one message for each of these and not for each arc.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_LABELLED_SOURCES_H_
#define SLICE_TRAINER_METHODS_MESSAGES_LABELLED_SOURCES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trainer/methods/messages/message_block.h"

namespace slice {

// A pair is a source and a label such that at least one arc with this label
// leaves the source. Pairs are sorted by (label, source). Immutable;
// thread-safe.
struct LabelledSources {
  LabelledSources(const MessageBlock& block, uint32_t label_count);

  size_t pair_count() const { return source.size(); }

  std::vector<uint32_t> source;       // [pairs], position in block.nodes
  std::vector<uint64_t> label_start;  // [labels + 1], into the pairs
  // The arcs of the block in their order, but their sources are the pairs. Node
  // ids, types, scales and degrees are not filled.
  MessageBlock arcs;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_LABELLED_SOURCES_H_
