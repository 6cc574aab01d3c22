// Keys, relations and types must be valid UTF-8 without control characters;
// otherwise CheckIdentifier returns an error with the column of the wrong byte.
// In an input file, names may contain control characters. ReplaceControls
// replaces them, so that a name cannot drive the terminal that shows it.
#include "graphstore/text_fields.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/text_width.h"

namespace slice {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// The length in bytes of the control character at `i`, or 0 when there is none.
// REQUIRES: valid UTF-8.
size_t ControlLength(std::string_view text, size_t i) {
  const unsigned char byte = static_cast<unsigned char>(text[i]);
  if (byte < 0x20 || byte == 0x7F) return 1;
  const bool c1 = byte == 0xC2 && i + 1 < text.size() &&
                  static_cast<unsigned char>(text[i + 1]) < 0xA0;
  return c1 ? 2 : 0;
}

std::string Text(std::string_view text) { return std::string(text); }

}  // namespace

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
    return LineError{
        line.text.size() + 1,
        absl::StrCat("missing field: the line has no ", names[fields.size()])};
  }
  if (fields.size() > most) {
    return LineError{fields[most].column,
                     absl::StrCat("extra column \"", Text(fields[most].text),
                                  "\" after the ", names[most - 1])};
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
  const size_t valid = ValidUtf8Prefix(text);
  if (valid == text.size()) return std::nullopt;
  return valid;
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
