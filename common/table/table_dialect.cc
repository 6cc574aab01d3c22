#include "common/table/table_dialect.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace slice {

absl::StatusOr<TableFormat> ParseTableFormat(std::string_view list) {
  TableFormat format;
  if (list.empty()) return format;
  const std::string text(list);
  const std::vector<std::string> words = absl::StrSplit(text, ',');
  for (const std::string& word : words) {
    if (word == "tab") {
      format.separator = Separator::kTab;
    } else if (word == "blanks") {
      format.separator = Separator::kBlanks;
    } else if (word == "comma") {
      format.separator = Separator::kComma;
    } else if (word == "semicolon") {
      format.separator = Separator::kSemicolon;
    } else if (word == "quotes" || word == "no-quotes") {
      format.quoted = word == "quotes";
    } else if (word == "header" || word == "no-header") {
      format.header = word == "header";
    } else {
      return absl::InvalidArgumentError(absl::StrCat(
          "\"", word, "\" in the format \"", text,
          "\" is none of tab, blanks, comma, semicolon, quotes, no-quotes, "
          "header and no-header"));
    }
  }
  return format;
}

std::string DescribeDialect(const TableDialect& dialect, std::string_view row) {
  std::string text;
  switch (dialect.separator) {
    case Separator::kPlain:
      text = row.find('\t') == std::string_view::npos ? "blanks" : "tabs";
      break;
    case Separator::kTab:
      text = "tabs";
      break;
    case Separator::kBlanks:
      text = "blanks";
      break;
    case Separator::kComma:
      text = "commas";
      break;
    case Separator::kSemicolon:
      text = "semicolons";
      break;
  }
  return text + (dialect.quoted ? " and quotes" : "");
}

}  // namespace slice
