#include "trainer/methods/knowledge/row_places.h"

namespace slice {

int64_t RowPlaces::Place(uint32_t row) {
  if (place_[row] == kNone) {
    place_[row] = static_cast<int32_t>(rows_.size());
    rows_.push_back(row);
  }
  return place_[row];
}

size_t RowPlaces::Drawn(size_t count, size_t table_rows) {
  // Drawing again for each repeated row is fast only while most rows are free.
  return count > table_rows / 2 ? table_rows : count;
}

void RowPlaces::Draw(size_t count, Random& random) {
  const auto table_rows = static_cast<uint32_t>(place_.size());
  if (Drawn(count, table_rows) == table_rows) {
    for (uint32_t row = 0; row < table_rows; ++row) Place(row);
    return;
  }
  while (rows_.size() < count) Place(random.Below(table_rows));
}

void RowPlaces::Clear() {
  for (const uint32_t row : rows_) place_[row] = kNone;
  rows_.clear();
}

}  // namespace slice
