#include "graphstore/tab_fields.h"

#include <array>
#include <charconv>

namespace slice {
namespace {

void AppendQuoted(std::string_view text, std::string* row) {
  row->push_back('"');
  for (const char c : text) {
    if (c == '"') row->push_back('"');
    row->push_back(c);
  }
  row->push_back('"');
}

}  // namespace

bool NeedsQuotes(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin != std::string_view::npos && text[begin] == '"';
}

bool FirstNeedsQuotes(std::string_view text) {
  return text.starts_with('#') || NeedsQuotes(text);
}

void AppendTabFields(std::span<const std::string_view> fields, bool quote_all,
                     std::string* row) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) row->push_back('\t');
    const bool needed =
        i == 0 ? FirstNeedsQuotes(fields[i]) : NeedsQuotes(fields[i]);
    if (quote_all || needed) {
      AppendQuoted(fields[i], row);
    } else {
      row->append(fields[i]);
    }
  }
}

void AppendFloat(float value, std::string* row) {
  std::array<char, 32> digits;
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  row->append(digits.data(), end);
}

}  // namespace slice
