// Draws from a discrete distribution in constant time: Walker's alias method in
// the version of Vose (IEEE Transactions on Software Engineering 17, 1991).
#ifndef SLICE_TRAINER_EMBEDDING_ALIAS_TABLE_H_
#define SLICE_TRAINER_EMBEDDING_ALIAS_TABLE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/random.h"

namespace slice {

// The cell of one index. A draw that hits the cell returns its own index with
// probability keep / 2^32, and the index `other` otherwise.
struct AliasCell {
  uint32_t keep = 0;
  uint32_t other = 0;
};

// Fills one cell per weight. REQUIRES: `weights` and `cells` have the same
// size, which is below 2^32; no weight is negative; unless both are empty, some
// weight is positive.
void FillAliasCells(std::span<const double> weights,
                    std::span<AliasCell> cells);

// DrawnCell() returns the index of the cell that 64 random bits hit in a table
// of `size` cells. KeepsCell() tells whether the same bits return this index
// rather than AliasCell::other.
inline uint32_t DrawnCell(uint64_t bits, uint32_t size) {
  return static_cast<uint32_t>(((bits >> 32) * size) >> 32);
}
inline bool KeepsCell(uint64_t bits, const AliasCell& cell) {
  return static_cast<uint32_t>(bits) < cell.keep;
}

// Draws indices in proportion to given weights. Immutable; thread-safe.
class AliasTable {
 public:
  // REQUIRES: as for FillAliasCells().
  explicit AliasTable(std::span<const double> weights)
      : cells_(weights.size()) {
    FillAliasCells(weights, cells_);
  }

  uint32_t Draw(Random& random) const {
    const uint64_t bits = random();
    const uint32_t drawn =
        DrawnCell(bits, static_cast<uint32_t>(cells_.size()));
    const AliasCell& cell = cells_[drawn];
    return KeepsCell(bits, cell) ? drawn : cell.other;
  }

 private:
  std::vector<AliasCell> cells_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_ALIAS_TABLE_H_
