#include "context/node_slots.h"

#include <algorithm>

namespace slice {

void CollectSlots(const GraphView& view, NodeId node,
                  std::vector<SlotCount>& slots) {
  slots.clear();
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const auto relations = view.snapshot().Arcs(node, direction).relations;
    for (auto run = relations.begin(); run != relations.end();) {
      const RelationId relation = *run;
      run = std::upper_bound(run, relations.end(), relation);
      const size_t count = view.SlotDegree(node, relation, direction);
      if (count == 0) continue;
      slots.push_back(
          {SlotOf(relation, direction), static_cast<uint32_t>(count)});
    }
  }
}

}  // namespace slice
