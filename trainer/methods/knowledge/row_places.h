// The rows of a table that a training step uses.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_ROW_PLACES_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_ROW_PLACES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/random.h"

namespace slice {

// The distinct rows of a table that a batch uses, in the order of their first
// use. The place of a row is its position in rows(). Thread-compatible.
class RowPlaces {
 public:
  explicit RowPlaces(size_t table_rows) : place_(table_rows, kNone) {}

  // The place of `row`, which is added to rows() when it is new.
  int64_t Place(uint32_t row);
  // The place of `row`, or -1 when it is not among rows().
  int64_t Find(uint32_t row) const { return place_[row]; }
  // Adds distinct rows, drawn uniformly, until there are `count`; all rows in
  // order if these are fewer than twice as many. REQUIRES: rows() is empty.
  void Draw(size_t count, Random& random);
  // How many rows Draw(count) adds when the table has `table_rows` rows.
  static size_t Drawn(size_t count, size_t table_rows);
  void Clear();
  std::span<const uint32_t> rows() const { return rows_; }

 private:
  static constexpr int32_t kNone = -1;
  std::vector<int32_t> place_;  // by row
  std::vector<uint32_t> rows_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_ROW_PLACES_H_
