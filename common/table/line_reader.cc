// A file is read through one buffer. `unread_` is the part of it that no line
// has used yet; it points into the buffer (or into the text that was given).
// FillLine looks for a line end there. When there is none, ReadMore moves the
// started line to the front of the buffer and reads more behind it, so that a
// row is always contiguous, even where quotes let it go on over line ends. The
// buffer grows with the longest line, to at most kMostLineBytes + kReadBytes.
// The digest is fed with every byte that was read, before any byte is skipped.
#include "common/table/line_reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/table/text_fields.h"

namespace slice {
namespace {

constexpr size_t kReadBytes = 256 << 10;
constexpr size_t kPeekBytes = kReadBytes;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

std::string_view WithoutReturn(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

LineReader::LineReader(std::string_view text) : unread_(text) {
  if (unread_.starts_with(kByteOrderMark))
    unread_.remove_prefix(kByteOrderMark.size());
}

absl::StatusOr<LineReader> LineReader::Open(const std::filesystem::path& path) {
  LineReader reader("");
  SLICE_ASSIGN_OR_RETURN(reader.input_, TextInput::Open(path));
  reader.path_ = path;
  reader.buffer_.resize(kReadBytes);
  reader.at_end_ = false;
  return reader;
}

bool LineReader::ReadMore() {
  if (at_end_ || !status_.ok()) return false;
  const size_t kept = unread_.size();
  std::copy(unread_.begin(), unread_.end(), buffer_.begin());
  if (kept + kReadBytes > buffer_.size()) buffer_.resize(kept + kReadBytes);
  char* const free = buffer_.data() + kept;
  unread_ = {buffer_.data(), kept};
  const absl::StatusOr<size_t> count =
      input_->Read(free, buffer_.size() - kept);
  if (!count.ok()) {
    status_ = count.status();
    return false;
  }
  at_end_ = *count == 0;
  digest_.Update({free, *count});
  unread_ = {buffer_.data(), kept + *count};
  if (number_ == 0 && kept == 0 && unread_.starts_with(kByteOrderMark))
    unread_.remove_prefix(kByteOrderMark.size());
  return !at_end_;
}

std::string_view LineReader::Peek(bool* is_whole) {
  while (unread_.size() < kPeekBytes && ReadMore()) {
  }
  *is_whole = at_end_ && unread_.size() <= kPeekBytes;
  return unread_.substr(0, kPeekBytes);
}

bool LineReader::FillLine(size_t begin, size_t* end) {
  size_t searched = begin;
  while (true) {
    *end = unread_.find('\n', searched);
    if (*end != std::string_view::npos) return true;
    if (at_end_) {
      *end = unread_.size();
      return unread_.size() > begin;
    }
    searched = std::max(begin, unread_.size());
    if (searched > kMostLineBytes) {
      status_ = absl::InvalidArgumentError(absl::StrCat(
          path_.string(), ":", number_ + 1, ":1: a line of more than ",
          kMostLineBytes, " bytes; is this a text file?"));
      return false;
    }
    ReadMore();
    if (!status_.ok()) return false;
  }
}

size_t LineReader::EndOfRow(size_t end) {
  size_t row = end, next = 0;
  bool open = HasOpenQuote(unread_.substr(0, row), dialect_);
  while (open && row <= kMostQuotedBytes && FillLine(row + 1, &next)) {
    const std::string_view added = unread_.substr(row, next - row);
    row = next;
    // Nothing else can close it.
    if (added.find_first_of("\"\t") != std::string_view::npos)
      open = HasOpenQuote(unread_.substr(0, row), dialect_);
  }
  if (row == end) return end;
  // A quote that is never closed, or that is closed before text, belongs to its
  // own line, as an error.
  std::vector<TextField> fields;
  const auto error = FieldSplitter(dialect_).Split(
      WithoutReturn(unread_.substr(0, row)), &fields);
  return error ? std::min(row, unread_.find('\n', error->column - 1)) : row;
}

// Whether a text begins with a comment. A # in quotes begins none.
bool LineReader::IsComment(std::string_view text) const {
  const bool is_csv = dialect_.separator == Separator::kComma ||
                      dialect_.separator == Separator::kSemicolon;
  return text.starts_with('#') && !(is_csv && has_rows_);
}

std::optional<TextLine> LineReader::Next() {
  size_t end = 0;
  while (status_.ok() && FillLine(0, &end)) {
    const bool is_comment = IsComment(unread_);
    if (dialect_.quoted && !is_comment) end = EndOfRow(end);
    const std::string_view row = unread_.substr(0, end);
    const uint64_t number = ++number_;
    if (dialect_.quoted) number_ += std::count(row.begin(), row.end(), '\n');
    unread_.remove_prefix(std::min(end + 1, unread_.size()));
    const std::string_view line = WithoutReturn(row);
    if (is_comment) continue;
    if (std::all_of(line.begin(), line.end(), IsBlank)) continue;
    has_rows_ = true;
    return TextLine{number, line};
  }
  return std::nullopt;
}

}  // namespace slice
