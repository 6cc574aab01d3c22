#include "graphstore/edge_list_reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kReadBytes = 256 << 10;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

bool IsContinuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// The length of the valid UTF-8 sequence at `i`, or 0.
size_t SequenceLength(std::string_view text, size_t i) {
  const auto byte = [&](size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  };
  const unsigned char lead = byte(i);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return IsContinuation(byte(i + 1)) ? 2 : 0;
  const unsigned char second = byte(i + 1);
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned char low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : 0xBF;
    return second >= low && second <= high && IsContinuation(byte(i + 2)) ? 3
                                                                          : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned char low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high && IsContinuation(byte(i + 2)) &&
                   IsContinuation(byte(i + 3))
               ? 4
               : 0;
  }
  return 0;
}

// The length of the control character at `i`, or 0. REQUIRES: valid UTF-8.
size_t ControlLength(std::string_view text, size_t i) {
  const unsigned char byte = static_cast<unsigned char>(text[i]);
  if (byte < 0x20 || byte == 0x7F) return 1;
  const bool c1 = byte == 0xC2 && i + 1 < text.size() &&
                  static_cast<unsigned char>(text[i + 1]) < 0xA0;
  return c1 ? 2 : 0;
}

std::string Text(std::string_view text) { return std::string(text); }

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

void SplitFields(std::string_view line, std::vector<TextField>* fields) {
  fields->clear();
  if (line.find('\t') != std::string_view::npos) {
    for (size_t begin = 0; begin <= line.size();) {
      const size_t end = std::min(line.find('\t', begin), line.size());
      fields->push_back({line.substr(begin, end - begin), begin + 1});
      begin = end + 1;
    }
    return;
  }
  size_t begin = line.find_first_not_of(' ');
  while (begin != std::string_view::npos) {
    const size_t end = std::min(line.find(' ', begin), line.size());
    fields->push_back({line.substr(begin, end - begin), begin + 1});
    begin = line.find_first_not_of(' ', end);
  }
}

std::optional<LineError> CheckFieldCount(
    const TextLine& line, const std::vector<TextField>& fields, size_t least,
    size_t most, const std::vector<std::string>& names) {
  if (fields.size() < least) {
    return LineError{line.text.size() + 1,
                     absl::StrCat("missing field: the ", names[fields.size()],
                                  " is not there")};
  }
  if (fields.size() > most) {
    return LineError{fields[most].column,
                     absl::StrCat("extra column \"", Text(fields[most].text),
                                  "\" behind the ", names[most - 1])};
  }
  return std::nullopt;
}

std::optional<LineError> CheckIdentifier(const TextField& field,
                                         std::string_view name) {
  if (field.text.find_first_not_of(' ') == std::string_view::npos)
    return LineError{field.column,
                     absl::StrCat("empty field: the ", Text(name))};
  if (const auto invalid = FindInvalidUtf8(field.text); invalid.has_value()) {
    return LineError{field.column + *invalid,
                     absl::StrCat("invalid UTF-8 in the ", Text(name))};
  }
  for (size_t i = 0; i < field.text.size(); ++i) {
    if (ControlLength(field.text, i) > 0) {
      return LineError{
          field.column + i,
          absl::StrFormat("control character 0x%02X in the %s",
                          static_cast<unsigned char>(field.text[i]),
                          Text(name))};
    }
  }
  return std::nullopt;
}

std::optional<size_t> FindInvalidUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = SequenceLength(text, i);
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::string ReplaceControls(std::string_view text, uint64_t* replaced) {
  std::string clean;
  clean.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const size_t length = ControlLength(text, i);
    if (length == 0) {
      clean.push_back(text[i++]);
      continue;
    }
    clean.append(kReplacement);
    ++*replaced;
    i += length;
  }
  return clean;
}

}  // namespace slice
