// The fields of a line: how they are separated, and what they may contain.
#ifndef SLICE_COMMON_TABLE_TEXT_FIELDS_H_
#define SLICE_COMMON_TABLE_TEXT_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/table/table_dialect.h"
#include "common/table/text_line.h"

namespace slice {

// Keys, names, relations and types have at most this many bytes. A server takes
// no longer text.
inline constexpr size_t kMostTextBytes = 1024;

// A part of a line.
struct TextField {
  std::string_view text;
  size_t column = 1;  // where it begins in the line, in bytes, from 1
};

// Cuts lines into fields. Thread-compatible.
class FieldSplitter {
 public:
  explicit FieldSplitter(const TableDialect& dialect) : dialect_(dialect) {}

  // Sets `fields`, which are valid until the next call and as long as `line`.
  // Returns an error for a quote that is not closed, or that is closed before
  // the end of its field; only dialects with quotes have errors.
  std::optional<LineError> Split(std::string_view line,
                                 std::vector<TextField>* fields);

  // How many fields of the last line were in quotes.
  size_t quoted_fields() const { return quoted_fields_; }

 private:
  std::optional<LineError> SplitQuoted(std::string_view line, char separator,
                                       std::vector<TextField>* fields);
  std::optional<LineError> ReadQuoted(std::string_view line, size_t* position,
                                      TextField* field);

  TableDialect dialect_;
  std::string unescaped_;  // fields of the last line that contain quotes
  size_t quoted_fields_ = 0;
};

// Whether a quote of `line` is still open at its end, so that the next line
// belongs to the same row. Not behind a mistake, such as text that follows a
// closing quote, or a line end outside of quotes.
bool HasOpenQuote(std::string_view line, const TableDialect& dialect);

// Checks that there are between `least` and `most` fields. `names` are the
// names of the fields in messages.
std::optional<LineError> CheckFieldCount(const TextLine& line,
                                         const std::vector<TextField>& fields,
                                         size_t least, size_t most,
                                         const std::vector<std::string>& names);

// Checks a key, relation or type: not empty, at most kMostTextBytes of valid
// UTF-8, no control characters. `name` is the name of the field in the message.
std::optional<LineError> CheckIdentifier(const TextField& field,
                                         std::string_view name);

// Checks a text that may be empty and may contain control characters.
std::optional<LineError> CheckText(const TextField& field,
                                   std::string_view name);

// The position of the first byte that is not valid UTF-8 (RFC 3629); nullopt
// when all bytes are valid.
std::optional<size_t> FindInvalidUtf8(std::string_view text);

// `text` with its control characters (U+0000 to U+001F and U+007F to U+009F)
// replaced by U+FFFD. Adds their number to `replaced`. REQUIRES: valid UTF-8.
std::string ReplaceControls(std::string_view text, uint64_t* replaced);

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_TEXT_FIELDS_H_
