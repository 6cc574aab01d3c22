// The slots that a node fills: slot 2r are its links of relation r going out,
// slot 2r + 1 those coming in.
#ifndef SLICE_CONTEXT_NODE_SLOTS_H_
#define SLICE_CONTEXT_NODE_SLOTS_H_

#include <cstdint>
#include <vector>

#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

struct SlotCount {
  uint32_t slot = 0;
  uint32_t count = 0;  // visible links; never 0
};

inline uint32_t SlotOf(RelationId relation, Direction direction) {
  return 2 * static_cast<uint32_t>(relation) +
         (direction == Direction::kIn ? 1 : 0);
}

// Replaces `slots` by those that `view` shows of `node`: all outgoing ones,
// then all incoming ones, by relation.
void CollectSlots(const GraphView& view, NodeId node,
                  std::vector<SlotCount>& slots);

}  // namespace slice

#endif  // SLICE_CONTEXT_NODE_SLOTS_H_
