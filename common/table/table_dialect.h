// How a text file writes a table: what separates its fields, whether fields may
// stand in quotes, and whether its first row is a header.
#ifndef SLICE_COMMON_TABLE_TABLE_DIALECT_H_
#define SLICE_COMMON_TABLE_TABLE_DIALECT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace slice {

// kPlain is what slice itself writes: tabs separate the fields of a line that
// has a tab, runs of blanks those of every other line.
enum class Separator : uint8_t { kPlain, kTab, kBlanks, kComma, kSemicolon };

// A value type.
struct TableDialect {
  Separator separator = Separator::kPlain;
  // A field may be in double quotes, as RFC 4180 says: it may then contain the
  // separator and line ends, and "" in it stands for one quote.
  bool quoted = false;

  bool operator==(const TableDialect&) const = default;
};

// What a person says about a file. What is missing is recognised.
struct TableFormat {
  std::optional<Separator> separator = {};
  std::optional<bool> quoted = {};
  std::optional<bool> header = {};

  bool operator==(const TableFormat&) const = default;
};

// From a list such as "comma,header": tab, blanks, comma or semicolon; quotes
// or no-quotes; header or no-header. An empty list says nothing.
// INVALID_ARGUMENT naming a wrong word.
absl::StatusOr<TableFormat> ParseTableFormat(std::string_view list);

// "commas", "tabs and quotes" and so on: what separates the fields of `row`.
std::string DescribeDialect(const TableDialect& dialect, std::string_view row);

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_TABLE_DIALECT_H_
