#include "trainer/methods/walks/entries_by_row.h"

namespace slice {

EntriesByRow::EntriesByRow(std::span<const uint32_t> named, size_t row_count) {
  std::vector<uint32_t> next(row_count + 1);
  for (const uint32_t row : named) {
    if (row < row_count) ++next[row + 1];
  }
  for (size_t row = 0; row < row_count; ++row) {
    if (next[row + 1] > 0) {
      rows.push_back(static_cast<uint32_t>(row));
      begins.push_back(next[row]);
    }
    next[row + 1] += next[row];
  }
  begins.push_back(next[row_count]);
  order.resize(next[row_count]);
  for (uint32_t i = 0; i < named.size(); ++i) {
    if (named[i] < row_count) order[next[named[i]]++] = i;
  }
}

}  // namespace slice
