// The slots that a node fills. Slot 2r holds its outgoing links of relation r,
// slot 2r + 1 its incoming links of relation r.
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

// The nodes to which `node` has a link of a signed relation, hidden links
// included; ascending.
inline std::span<const NodeId> SlotNodes(const GraphSnapshot& snapshot,
                                         NodeId node, int32_t signed_relation) {
  return snapshot.Neighbors(node, RelationOfSigned(signed_relation),
                            DirectionOfSigned(signed_relation));
}

// Replaces `slots` by the slots that `node` fills in `view`: first the outgoing
// slots, then the incoming slots, each by relation.
void CollectSlots(const GraphView& view, NodeId node,
                  std::vector<SlotCount>& slots);

}  // namespace slice

#endif  // SLICE_CONTEXT_NODE_SLOTS_H_
