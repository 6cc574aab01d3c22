#include "graphstore/arc_block.h"

#include <utility>

namespace slice {

ArcBlock::ArcBlock(std::unique_ptr<const Arrays> arrays)
    : row_start_(arrays->row_start.data()),
      slot_start_(arrays->slot_start.data()),
      slots_(arrays->slots.data()),
      weights_(arrays->weights.empty() ? nullptr : arrays->weights.data()),
      neighbors_(arrays->neighbors.data()),
      relations_(arrays->relations.data()),
      arc_count_(arrays->neighbors.size()),
      arrays_(std::move(arrays)) {}

ArcBlock::ArcBlock(const Arrays& arrays)
    : arc_count_(arrays.neighbors.size()),
      packed_((arrays.row_start.size() + arrays.slot_start.size()) *
                  sizeof(uint64_t) +
              arrays.slots.size() * sizeof(Slot) +
              arrays.weights.size() * sizeof(float) +
              arc_count_ * (sizeof(NodeId) + sizeof(RelationId))) {
  row_start_ = packed_.Add(arrays.row_start);
  slot_start_ = packed_.Add(arrays.slot_start);
  slots_ = packed_.Add(arrays.slots);
  if (!arrays.weights.empty()) weights_ = packed_.Add(arrays.weights);
  neighbors_ = packed_.Add(arrays.neighbors);
  relations_ = packed_.Add(arrays.relations);
}

}  // namespace slice
