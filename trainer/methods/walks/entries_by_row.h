// Which entries of a batch use which row of a table.
#ifndef SLICE_TRAINER_METHODS_WALKS_ENTRIES_BY_ROW_H_
#define SLICE_TRAINER_METHODS_WALKS_ENTRIES_BY_ROW_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slice {

// Entries by the row that they name, both ascending. The gradient of a row can
// then be summed by one thread, in the order of the batch.
struct EntriesByRow {
  // named[i] is the row that entry i names. An entry that names no row below
  // `row_count` (such as kNoNode) is left out. O(row_count + entries).
  EntriesByRow(std::span<const uint32_t> named, size_t row_count);

  // The entries that name rows[place].
  std::span<const uint32_t> Of(size_t place) const {
    return std::span(order).subspan(begins[place],
                                    begins[place + 1] - begins[place]);
  }

  std::vector<uint32_t> order;   // entries, those of one row together
  std::vector<uint32_t> rows;    // that some entry names
  std::vector<uint32_t> begins;  // [rows + 1], in `order`
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_ENTRIES_BY_ROW_H_
