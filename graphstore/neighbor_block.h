// Rows of distinct neighbours.
#ifndef SLICE_GRAPHSTORE_NEIGHBOR_BLOCK_H_
#define SLICE_GRAPHSTORE_NEIGHBOR_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/prefetch.h"
#include "graphstore/packed_bytes.h"
#include "graphstore/types.h"

namespace slice {

// Rows of neighbours, one after the other. A neighbour takes 8 bytes. One with
// several relations takes 4 more bytes, and 4 for each relation.
// NeighborBlockBuilder makes it.
class NeighborBlock {
 public:
  struct Arrays {
    std::vector<uint64_t> row_start = {0};      // [rows + 1]
    std::vector<uint64_t> several_start = {0};  // [rows + 1], into several
    std::vector<NodeId> neighbors;              // of all rows
    // Parallel to neighbors: the only signed relation of the neighbour, or
    // kSeveral plus the position of its list in the row's part of `several`.
    std::vector<int32_t> codes;
    // A list for each neighbour with several relations: the number of
    // relations, then the signed relations.
    std::vector<int32_t> several;
    std::vector<uint8_t> self_loops;  // [rows], 0 or 1
  };

  // Keeps the arrays.
  explicit NeighborBlock(std::unique_ptr<const Arrays> arrays);
  // Copies the arrays into one allocation: for few rows.
  explicit NeighborBlock(const Arrays& arrays);

  std::span<const NodeId> Neighbors(size_t row) const {
    const uint64_t begin = row_start_[row];
    return {neighbors_ + begin, row_start_[row + 1] - begin};
  }
  void PrefetchStart(size_t row) const { PrefetchToRead(row_start_ + row); }
  void Prefetch(size_t row) const {
    PrefetchToRead(neighbors_ + row_start_[row]);
    PrefetchToRead(neighbors_ + row_start_[row + 1] - 1);
  }
  void PrefetchRelations(size_t row, size_t position) const {
    PrefetchToRead(codes_ + row_start_[row] + position);
  }
  std::span<const int32_t> Relations(size_t row, size_t position) const {
    const int32_t* code = codes_ + row_start_[row] + position;
    if (*code < kSeveral) return {code, 1};
    const int32_t* list = several_ + several_start_[row] + (*code - kSeveral);
    return {list + 1, static_cast<size_t>(*list)};
  }
  bool HasSelfLoop(size_t row) const { return self_loops_[row] != 0; }

 private:
  friend class NeighborBlockBuilder;

  // Codes from here on are positions in several_; signed relations are below.
  static constexpr int32_t kSeveral = 1 << 17;

  // As in Arrays.
  const uint64_t* row_start_;
  const uint64_t* several_start_;
  const NodeId* neighbors_;
  const int32_t* codes_;
  const int32_t* several_;
  const uint8_t* self_loops_;
  // What holds them: one or the other.
  std::unique_ptr<const Arrays> arrays_;
  PackedBytes packed_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NEIGHBOR_BLOCK_H_
