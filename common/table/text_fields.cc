// Keys, relations and types must be valid UTF-8 without control characters;
// otherwise CheckIdentifier returns an error with the column of the wrong byte.
// In an input file, names may contain control characters. ReplaceControls
// replaces them, so that a name cannot drive the terminal that shows it.
#include "common/table/text_fields.h"

#include <algorithm>

#include "absl/strings/escaping.h"
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

// What separates the fields of a line.
char SeparatorIn(std::string_view line, Separator separator) {
  switch (separator) {
    case Separator::kPlain:
      return line.find('\t') == std::string_view::npos ? ' ' : '\t';
    case Separator::kTab:
      return '\t';
    case Separator::kBlanks:
      return ' ';
    case Separator::kComma:
      return ',';
    case Separator::kSemicolon:
      return ';';
  }
  return ' ';
}

// A field without the blanks around it. Between tabs blanks are kept.
TextField Trimmed(TextField field, char separator) {
  if (separator == '\t') return field;
  const size_t begin =
      std::min(field.text.find_first_not_of(' '), field.text.size());
  field.column += begin;
  field.text.remove_prefix(begin);
  while (!field.text.empty() && field.text.back() == ' ')
    field.text.remove_suffix(1);
  return field;
}

void SplitAtEach(std::string_view line, char separator,
                 std::vector<TextField>* fields) {
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find(separator, begin), line.size());
    fields->push_back(
        Trimmed({line.substr(begin, end - begin), begin + 1}, separator));
    begin = end + 1;
  }
}

void SplitAtBlanks(std::string_view line, std::vector<TextField>* fields) {
  size_t begin = line.find_first_not_of(' ');
  while (begin != std::string_view::npos) {
    const size_t end = std::min(line.find(' ', begin), line.size());
    fields->push_back({line.substr(begin, end - begin), begin + 1});
    begin = line.find_first_not_of(' ', end);
  }
}

// The start of a text for a message.
std::string Shown(std::string_view text) {
  constexpr size_t kShownBytes = 40;
  const std::string shown(text.substr(0, kShownBytes));
  return absl::StrCat("\"", absl::CHexEscape(shown),
                      text.size() > kShownBytes ? "..." : "", "\"");
}

}  // namespace

std::optional<LineError> FieldSplitter::Split(std::string_view line,
                                              std::vector<TextField>* fields) {
  fields->clear();
  quoted_fields_ = 0;
  const char separator = SeparatorIn(line, dialect_.separator);
  if (dialect_.quoted && line.find('"') != std::string_view::npos)
    return SplitQuoted(line, separator, fields);
  if (separator == ' ') {
    SplitAtBlanks(line, fields);
  } else {
    SplitAtEach(line, separator, fields);
  }
  return std::nullopt;
}

std::optional<LineError> FieldSplitter::SplitQuoted(
    std::string_view line, char separator, std::vector<TextField>* fields) {
  // Views of the fields stay valid while this text does not grow beyond it.
  unescaped_.clear();
  unescaped_.reserve(line.size());
  for (size_t position = 0;;) {
    const size_t begin = line.find_first_not_of(' ', position);
    if (begin == std::string_view::npos && separator == ' ') break;
    if (begin == std::string_view::npos || line[begin] != '"') {
      const size_t start = separator == ' ' ? begin : position;
      const size_t end = std::min(line.find(separator, start), line.size());
      fields->push_back(
          Trimmed({line.substr(start, end - start), start + 1}, separator));
      position = end;
    } else {
      position = begin;
      TextField field;
      if (auto error = ReadQuoted(line, &position, &field)) return error;
      fields->push_back(field);
      ++quoted_fields_;
      const size_t next = line.find_first_not_of(' ', position);
      const bool at_end = next == std::string_view::npos;
      const bool parted = separator == ' ' ? next != position
                                           : !at_end && line[next] == separator;
      if (!at_end && !parted && field.text.find('\n') != field.text.npos) {
        return LineError{begin + 1,
                         "the quote that begins here is closed in a later "
                         "line, and text follows there; is a quote missing?"};
      }
      if (!at_end && !parted) {
        return LineError{position + 1,
                         "text behind a closing quote; write a quote within a "
                         "quoted field twice"};
      }
      position = at_end ? line.size() : next;
    }
    if (position >= line.size()) break;
    position += separator != ' ';
  }
  return std::nullopt;
}

std::optional<LineError> FieldSplitter::ReadQuoted(std::string_view line,
                                                   size_t* position,
                                                   TextField* field) {
  const size_t begin = *position + 1;
  field->column = begin + 1;
  const size_t kept = unescaped_.size();
  bool has_quotes = false;
  for (size_t from = begin;;) {
    const size_t quote = line.find('"', from);
    if (quote == std::string_view::npos) {
      return LineError{begin,
                       "the quote that begins here is not closed; is a quote "
                       "missing? If quotes belong to the keys of this file, "
                       "give --format no-quotes"};
    }
    const bool doubled = quote + 1 < line.size() && line[quote + 1] == '"';
    if (doubled || has_quotes)
      unescaped_.append(line.substr(from, quote - from + doubled));
    if (!doubled) {
      *position = quote + 1;
      field->text = has_quotes ? std::string_view(unescaped_).substr(kept)
                               : line.substr(begin, quote - begin);
      return std::nullopt;
    }
    has_quotes = true;
    from = quote + 2;
  }
}

bool HasOpenQuote(std::string_view line, const TableDialect& dialect) {
  if (!dialect.quoted || line.find('"') == std::string_view::npos) return false;
  const char separator = SeparatorIn(line, dialect.separator);
  enum class At : uint8_t { kStart, kText, kQuotes, kBehindQuotes };
  At at = At::kStart;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (at == At::kQuotes) {
      if (c != '"') continue;
      const bool doubled = i + 1 < line.size() && line[i + 1] == '"';
      i += doubled;
      if (!doubled) at = At::kBehindQuotes;
    } else if (c == '\n') {
      return false;
    } else if (c == separator) {
      at = At::kStart;
    } else if (at == At::kBehindQuotes) {
      if (c != ' ') return false;
    } else if (c == '"' && at == At::kStart) {
      at = At::kQuotes;
    } else if (c != ' ') {
      at = At::kText;
    }
  }
  return at == At::kQuotes;
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

std::optional<LineError> CheckText(const TextField& field,
                                   std::string_view name) {
  if (const auto invalid = FindInvalidUtf8(field.text); invalid.has_value()) {
    return LineError{field.column + *invalid,
                     absl::StrCat("invalid UTF-8 in the ", Text(name), " ",
                                  Shown(field.text))};
  }
  if (field.text.size() <= kMostTextBytes) return std::nullopt;
  return LineError{field.column,
                   absl::StrCat("the ", Text(name), " ", Shown(field.text),
                                " has ", field.text.size(), " bytes; at most ",
                                kMostTextBytes, " are allowed")};
}

std::optional<LineError> CheckIdentifier(const TextField& field,
                                         std::string_view name) {
  if (field.text.find_first_not_of(' ') == std::string_view::npos)
    return LineError{field.column,
                     absl::StrCat("empty field: the ", Text(name))};
  if (auto error = CheckText(field, name)) return error;
  for (size_t i = 0; i < field.text.size(); ++i) {
    if (ControlLength(field.text, i) > 0) {
      return LineError{
          field.column + i,
          absl::StrFormat("control character 0x%02X in the %s %s",
                          static_cast<unsigned char>(field.text[i]), Text(name),
                          Shown(field.text))};
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
