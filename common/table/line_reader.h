// The lines of a text file, with their numbers for error messages.
#ifndef SLICE_COMMON_TABLE_LINE_READER_H_
#define SLICE_COMMON_TABLE_LINE_READER_H_

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
#include "common/sha256.h"
#include "common/table/table_dialect.h"
#include "common/table/text_input.h"
#include "common/table/text_line.h"

namespace slice {

// Walks the lines of a text, or of a file, which it reads (and decompresses,
// see TextInput) piece by piece. It skips a UTF-8 byte order mark, blank lines
// and comments, which are lines that start with #. CRLF ends a line like LF.
// Thread-compatible.
//
//   SLICE_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
//   while (const auto line = lines.Next()) { ... }
//   SLICE_RETURN_IF_ERROR(lines.status());
class LineReader {
 public:
  static constexpr size_t kMostLineBytes = 1 << 20;
  // A row may go on over line ends within quotes up to this length.
  static constexpr size_t kMostQuotedBytes = 64 << 10;

  // Reads `text`, which must outlive the reader.
  explicit LineReader(std::string_view text);
  // The errors of TextInput::Open.
  static absl::StatusOr<LineReader> Open(const std::filesystem::path& path);

  // The start of what Next has not returned yet: 256 KiB, or all when less
  // remains. Valid until the next call. Sets `is_whole` when nothing follows.
  std::string_view Peek(bool* is_whole);

  // How the rows from now on are written. In a dialect with quotes, a row goes
  // on over the line ends inside of them. A row with a wrong quote ends with
  // the line of that quote, so that it spoils no line behind it. With commas or
  // semicolons, only lines before the first row are comments, so that keys may
  // begin with #.
  void SetDialect(const TableDialect& dialect) { dialect_ = dialect; }

  // The next line with content, valid until the next call. Returns nullopt at
  // the end, or when the rest of the file cannot be read.
  std::optional<TextLine> Next();

  // Why Next returned nullopt: OK at the end, DATA_LOSS for a damaged
  // compressed file, INVALID_ARGUMENT for a line longer than kMostLineBytes.
  const absl::Status& status() const { return status_; }

  // Lines passed so far, skipped ones included.
  uint64_t line_number() const { return number_; }
  // Bytes of the file read so far, before decompression.
  uint64_t position() const { return input_ ? input_->position() : 0; }
  // The SHA-256 of the file's decompressed text (see Sha256Digest). May be
  // called once, after the last line.
  std::string TextDigest() { return digest_.Finish(); }

 private:
  // Reads on until `unread_` contains a line end at or behind `begin`, or the
  // text is at its end. Sets `end` to the end of the line that begins at
  // `begin`; false when there is no such line.
  bool FillLine(size_t begin, size_t* end);
  // Reads more behind `unread_`. False at the end and when that fails.
  bool ReadMore();
  // The end of the row whose first line ends at `end`.
  size_t EndOfRow(size_t end);
  bool IsComment(std::string_view text) const;

  std::filesystem::path path_;
  std::unique_ptr<TextInput> input_;  // null when a text is read
  std::vector<char> buffer_;
  std::string_view unread_;  // a part of the text, or of buffer_
  bool at_end_ = true;       // nothing follows `unread_`
  uint64_t number_ = 0;
  TableDialect dialect_;
  bool has_rows_ = false;  // Next has returned a line
  Sha256Digest digest_;
  absl::Status status_;
};

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_LINE_READER_H_
