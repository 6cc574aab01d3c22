// A file is read through one buffer. `unread_` is the part of it that no line
// has used yet; it points into the buffer (or into the text that was given).
// FillLine looks for a line end there. When there is none, it moves the started
// line to the front of the buffer and reads more behind it, so that a line is
// always contiguous. The buffer grows with the longest line, to at most
// kMostLineBytes + kReadBytes. The digest is fed with every byte that was read,
// before any byte is skipped.
#include "graphstore/line_reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kReadBytes = 256 << 10;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::string DescribeLineError(const std::filesystem::path& path,
                              const TextLine& line, const LineError& error) {
  return absl::StrCat(path.string(), ":", line.number, ":", error.column, ": ",
                      error.reason);
}

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

bool LineReader::FillLine(size_t* end) {
  size_t searched = 0;
  while (true) {
    *end = unread_.find('\n', searched);
    if (*end != std::string_view::npos) return true;
    if (at_end_) {
      *end = unread_.size();
      return !unread_.empty();
    }
    searched = unread_.size();
    if (searched > kMostLineBytes) {
      status_ = absl::InvalidArgumentError(absl::StrCat(
          path_.string(), ":", number_ + 1, ":1: a line of more than ",
          kMostLineBytes, " bytes; is this a text file?"));
      return false;
    }
    std::copy(unread_.begin(), unread_.end(), buffer_.begin());
    if (searched + kReadBytes > buffer_.size())
      buffer_.resize(searched + kReadBytes);
    char* const free = buffer_.data() + searched;
    const absl::StatusOr<size_t> count =
        input_->Read(free, buffer_.size() - searched);
    if (!count.ok()) {
      status_ = count.status();
      return false;
    }
    at_end_ = *count == 0;
    digest_.Update({free, *count});
    unread_ = {buffer_.data(), searched + *count};
    if (number_ == 0 && searched == 0 && unread_.starts_with(kByteOrderMark))
      unread_.remove_prefix(kByteOrderMark.size());
  }
}

std::optional<TextLine> LineReader::Next() {
  size_t end = 0;
  while (status_.ok() && FillLine(&end)) {
    ++number_;
    std::string_view line = unread_.substr(0, end);
    unread_.remove_prefix(std::min(end + 1, unread_.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.starts_with('#')) continue;
    if (!std::all_of(line.begin(), line.end(), IsBlank))
      return TextLine{number_, line};
  }
  return std::nullopt;
}

}  // namespace slice
