// Tells whether the first row of a link file is a header.
#ifndef SLICE_COMMON_TABLE_HEADER_RECOGNITION_H_
#define SLICE_COMMON_TABLE_HEADER_RECOGNITION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/table/dialect_recognition.h"

namespace slice {

// Below this many rows, what they have in common may be chance.
inline constexpr size_t kManyRows = 20;

enum class HeaderGuess : uint8_t { kNo, kPerhaps, kYes };

// Guesses from the first row. It is a header (kYes) in these cases:
//   - It names a source and a target. No other row has these names there.
//   - All its fields look like columns of keys, such as user_id.
//   - It has a word where all other rows have numbers or dates, and shares no
//     field with them.
// In a file with commas or tabs, the first row may also share no field with the
// other rows. That is unusual in two cases: the other rows share all values of
// a column, or hardly any of them is alone in this way. Then the guess is kYes
// when a row with commas names a column of links (common/table/column_names.h),
// and kPerhaps otherwise. REQUIRES: the sample has rows.
HeaderGuess GuessHeader(const TableSample& sample);

// Whether a field is a number, or a date or time of digits such as 2020-03-01
// or 12:30:05Z.
bool IsValue(const std::string& text);

// Whether `holds` for column `i` of all rows but the first one and its
// repetitions. False when there is one row alone.
template <typename Holds>
bool AllBelow(std::span<const std::vector<std::string>> rows, size_t i,
              Holds holds) {
  return rows.size() > 1 &&
         std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) {
           return row == rows.front() || (i < row.size() && holds(row[i]));
         });
}

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_HEADER_RECOGNITION_H_
