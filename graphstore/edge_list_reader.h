// Lines and fields of an edge list or node file, with the exact place of what
// is wrong with them.
#ifndef SLICE_GRAPHSTORE_EDGE_LIST_READER_H_
#define SLICE_GRAPHSTORE_EDGE_LIST_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slice {

// A part of a line; `column` counts bytes from 1.
struct TextField {
  std::string_view text;
  size_t column = 1;
};

// Why a line was refused, and where.
struct LineError {
  size_t column = 1;
  std::string reason;
};

// One line without its end. Fields point into the file's text.
struct TextLine {
  uint64_t number = 0;  // from 1
  std::string_view text;
};

// Walks the lines of a text that outlives it. A UTF-8 byte order mark, blank
// lines and lines that start with # are skipped; CRLF ends a line like LF.
// Thread-compatible.
class LineReader {
 public:
  explicit LineReader(std::string_view text);

  // The next line with content; nothing at the end.
  std::optional<TextLine> Next();

  // Lines passed so far, skipped ones included.
  uint64_t line_number() const { return number_; }

 private:
  std::string_view rest_;
  uint64_t number_ = 0;
};

// Splits a line at single tabs when it has one (fields may then be empty or
// contain blanks), else at runs of blanks.
void SplitFields(std::string_view line, std::vector<TextField>* fields);

// Checks that there are between `least` and `most` fields; `names` call them in
// messages.
std::optional<LineError> CheckFieldCount(const TextLine& line,
                                         const std::vector<TextField>& fields,
                                         size_t least, size_t most,
                                         const std::vector<std::string>& names);

// Checks a key, relation or type: not empty, valid UTF-8, no control bytes.
// `name` calls it in the message.
std::optional<LineError> CheckIdentifier(const TextField& field,
                                         std::string_view name);

// The first byte that is not valid UTF-8 (RFC 3629), from 0; nothing when all
// is valid.
std::optional<size_t> FindInvalidUtf8(std::string_view text);

// `text` with its control characters (U+0000 to U+001F and U+007F to U+009F)
// replaced by U+FFFD; adds their number to `replaced`. REQUIRES: valid UTF-8.
std::string ReplaceControls(std::string_view text, uint64_t* replaced);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_EDGE_LIST_READER_H_
