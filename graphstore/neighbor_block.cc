#include "graphstore/neighbor_block.h"

#include <utility>

namespace slice {

NeighborBlock::NeighborBlock(std::unique_ptr<const Arrays> arrays)
    : row_start_(arrays->row_start.data()),
      several_start_(arrays->several_start.data()),
      neighbors_(arrays->neighbors.data()),
      codes_(arrays->codes.data()),
      several_(arrays->several.data()),
      self_loops_(arrays->self_loops.data()),
      arrays_(std::move(arrays)) {}

NeighborBlock::NeighborBlock(const Arrays& arrays)
    : packed_((arrays.row_start.size() + arrays.several_start.size()) *
                  sizeof(uint64_t) +
              arrays.neighbors.size() * sizeof(NodeId) +
              (arrays.codes.size() + arrays.several.size()) * sizeof(int32_t) +
              arrays.self_loops.size()) {
  row_start_ = packed_.Add(arrays.row_start);
  several_start_ = packed_.Add(arrays.several_start);
  neighbors_ = packed_.Add(arrays.neighbors);
  codes_ = packed_.Add(arrays.codes);
  several_ = packed_.Add(arrays.several);
  self_loops_ = packed_.Add(arrays.self_loops);
}

}  // namespace slice
