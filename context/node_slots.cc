#include "context/node_slots.h"

namespace slice {

void CollectSlots(const GraphView& view, NodeId node,
                  std::vector<SlotCount>& slots) {
  slots.clear();
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    view.snapshot().ForEachSlot(
        node, direction, [&](RelationId relation, std::span<const NodeId>) {
          const size_t count = view.SlotDegree(node, relation, direction);
          if (count == 0) return;
          slots.push_back(
              {SlotOf(relation, direction), static_cast<uint32_t>(count)});
        });
  }
}

}  // namespace slice
