// Recognises from its first rows how a table is written.
#ifndef SLICE_COMMON_TABLE_DIALECT_RECOGNITION_H_
#define SLICE_COMMON_TABLE_DIALECT_RECOGNITION_H_

#include <string>
#include <string_view>
#include <vector>

#include "common/table/table_dialect.h"

namespace slice {

// The first rows of a table.
struct TableSample {
  // With commas and semicolons quotes count even if these rows have none.
  TableDialect dialect;
  bool shows_quotes = false;  // these rows have some, or the format says so
  std::string first_line;     // as it is written; empty when there is no row
  // The fields of each row. Rows with a wrong quote are left out.
  std::vector<std::vector<std::string>> rows;

  // "commas and quotes" and so on: how these rows are written.
  std::string Describe() const;
};

// Reads the start of a text and recognises its dialect, unless `format` says
// what it is. `is_whole` says whether nothing follows the text; otherwise its
// last line may be cut off and is left out.
TableSample ReadSample(std::string_view text, bool is_whole,
                       const TableFormat& format);

// A line as an error message shows it: at most 80 bytes, escaped.
std::string ShownLine(std::string_view line);

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_DIALECT_RECOGNITION_H_
