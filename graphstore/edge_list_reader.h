// Lines and fields of an edge list or node file, with the exact place of what
// is wrong with them.
#ifndef SLICE_GRAPHSTORE_EDGE_LIST_READER_H_
#define SLICE_GRAPHSTORE_EDGE_LIST_READER_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/files.h"
#include "graphstore/text_file.h"

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

// One line without its end.
struct TextLine {
  uint64_t number = 0;  // from 1
  std::string_view text;
};

// "file:line:column: reason".
std::string DescribeLineError(const std::filesystem::path& path,
                              const TextLine& line, const LineError& error);

// Walks the lines of a text or of a file, which it reads (and decompresses,
// see TextInput) piece by piece. A UTF-8 byte order mark, blank lines and lines
// that start with # are skipped; CRLF ends a line like LF. Thread-compatible.
//
//   SLICE_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
//   while (const auto line = lines.Next()) { ... }
//   SLICE_RETURN_IF_ERROR(lines.status());
class LineReader {
 public:
  static constexpr size_t kMostLineBytes = 1 << 20;

  // Of a text that outlives it.
  explicit LineReader(std::string_view text);
  // NOT_FOUND, PERMISSION_DENIED or INTERNAL, naming the path.
  static absl::StatusOr<LineReader> Open(const std::filesystem::path& path);

  // The next line with content, valid until the next call; nothing at the end
  // or when the file cannot be read on.
  std::optional<TextLine> Next();

  // Why Next stopped: OK at the end, DATA_LOSS for a damaged compressed file,
  // INVALID_ARGUMENT for a line longer than kMostLineBytes.
  const absl::Status& status() const { return status_; }

  // Lines passed so far, skipped ones included.
  uint64_t line_number() const { return number_; }
  // Bytes of the file used so far, compressed as they are.
  uint64_t position() const { return input_ ? input_->position() : 0; }
  // Lower-case hexadecimal SHA-256 of a file's text, once, after its last line.
  std::string TextDigest() { return digest_.Finish(); }

 private:
  // Reads on until `unread_` has a line end or the text is at its end.
  bool FillLine(size_t* end);

  std::filesystem::path path_;
  std::unique_ptr<TextInput> input_;
  std::vector<char> buffer_;
  std::string_view unread_;  // of the text given, or of buffer_
  bool at_end_ = true;       // nothing comes behind unread_
  uint64_t number_ = 0;
  Sha256Digest digest_;
  absl::Status status_;
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
