// Tells whether the first row of a link file is a header.
#ifndef SLICE_COMMON_TABLE_HEADER_RECOGNITION_H_
#define SLICE_COMMON_TABLE_HEADER_RECOGNITION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/table/dialect_recognition.h"

namespace slice {

// Below this many rows, what they have in common may be chance.
inline constexpr size_t kManyRows = 20;

enum class HeaderGuess : uint8_t { kNo, kPerhaps, kYes };

// kYes when the first row
//   - names a source and a target, and no other row has these names there,
//   - has names of columns of keys alone, such as user_id, or
//   - has a word where all other rows have numbers or dates.
// In a file with commas a row that shares no field with the others may be a
// header too, when they share all values of a column, or when hardly any of
// them shares nothing. Then kYes when it names a column of links
// (common/table/column_names.h), kPerhaps otherwise.
// REQUIRES: the sample has rows.
HeaderGuess GuessHeader(const TableSample& sample);

// Whether a field is a number, or a date or time of digits such as 2020-03-01
// or 12:30:05Z.
bool IsValue(const std::string& text);

// Whether `holds` for column `i` of all rows but the first one and its
// repetitions. False when there is one row alone.
template <typename Holds>
bool AllBelow(const std::vector<std::vector<std::string>>& rows, size_t i,
              Holds holds) {
  return rows.size() > 1 &&
         std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) {
           return row == rows.front() || (i < row.size() && holds(row[i]));
         });
}

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_HEADER_RECOGNITION_H_
