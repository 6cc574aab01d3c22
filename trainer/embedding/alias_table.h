// Drawing from a discrete distribution in constant time (Walker's alias method
// as of Vose, IEEE Transactions on Software Engineering 17, 1991).
#ifndef SLICE_TRAINER_EMBEDDING_ALIAS_TABLE_H_
#define SLICE_TRAINER_EMBEDDING_ALIAS_TABLE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/random.h"

namespace slice {

// One cell of a table. A draw that hits it keeps it with probability
// keep / 2^32, and goes to cell `other` otherwise.
struct AliasCell {
  uint32_t keep = 0;
  uint32_t other = 0;
};

// Fills one cell per weight; nothing without weights. REQUIRES: both have the
// same size, below 2^32; no weight is negative and, if there are any, one is
// positive.
void FillAliasCells(std::span<const double> weights,
                    std::span<AliasCell> cells);

// The cell that 64 random bits draw from a table of `size` cells, and whether
// these bits keep it.
inline uint32_t DrawnCell(uint64_t bits, uint32_t size) {
  return static_cast<uint32_t>(((bits >> 32) * size) >> 32);
}
inline bool KeepsCell(uint64_t bits, const AliasCell& cell) {
  return static_cast<uint32_t>(bits) < cell.keep;
}

// Draws indices in proportion to given weights. Immutable; thread-safe.
class AliasTable {
 public:
  // REQUIRES: as FillAliasCells.
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
