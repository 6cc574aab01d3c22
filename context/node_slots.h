// The slots that a node fills: slot 2r are its links of relation r going out,
// slot 2r + 1 those coming in.
#ifndef SLICE_CONTEXT_NODE_SLOTS_H_
#define SLICE_CONTEXT_NODE_SLOTS_H_

#include <cstdint>
#include <cstdlib>
#include <span>
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

// The nodes to which `node` has a signed relation, hidden links included.
inline std::span<const NodeId> SlotNodes(const GraphSnapshot& snapshot,
                                         NodeId node, int32_t signed_relation) {
  return snapshot.Neighbors(node, RelationOfSigned(signed_relation),
                            DirectionOfSigned(signed_relation));
}

// Replaces `slots` by those that `view` shows of `node`: all outgoing ones,
// then all incoming ones, by relation.
void CollectSlots(const GraphView& view, NodeId node,
                  std::vector<SlotCount>& slots);

}  // namespace slice

#endif  // SLICE_CONTEXT_NODE_SLOTS_H_
