// The first line of a node file decides how the other lines are read. When it
// is a header, ReadHeader finds the columns by name; otherwise the columns are
// key, type and name, in this order. Attribute columns can only be found in a
// header, so a file without a header is refused when attributes are wanted.
// Parse requires that every row has as many fields as there are columns.
#include "graphstore/node_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace slice {
namespace {

absl::string_view AsAbsl(std::string_view text) {
  return {text.data(), text.size()};
}

bool IsKeyName(std::string_view text) { return text == "id" || text == "key"; }

// The position of the column called `name`, or `otherwise` when there is none.
size_t FindColumn(const std::vector<std::string>& names, std::string_view name,
                  size_t otherwise) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? otherwise
                              : static_cast<size_t>(found - names.begin());
}

bool IsMissing(std::string_view text) {
  for (const char* word : {"", "na", "nan", "null"}) {
    if (absl::EqualsIgnoreCase(AsAbsl(text), word)) return true;
  }
  return false;
}

}  // namespace

bool NodeRowParser::IsHeader(const TextLine& line) const {
  if (line.number != 1) return false;
  if (IsKeyName(fields_[0].text)) return true;
  const auto names = [&](auto is_name) {
    return std::any_of(fields_.begin(), fields_.end(),
                       [&](const TextField& f) { return is_name(f.text); });
  };
  return names(IsKeyName) &&
         names([](std::string_view text) { return text == "type"; }) &&
         names([](std::string_view text) { return text == "name"; });
}

std::optional<LineError> NodeRowParser::ReadHeader(const TextLine& line) {
  if (auto error = CheckFieldCount(line, fields_, 3,
                                   std::max<size_t>(fields_.size(), 3), names_))
    return error;
  names_.clear();
  for (const TextField& field : fields_) names_.emplace_back(field.text);
  key_ = FindColumn(names_, "id", FindColumn(names_, "key", 0));
  type_ = FindColumn(names_, "type", 1);
  name_ = FindColumn(names_, "name", 2);
  for (const std::string& wanted : attribute_columns_) {
    const size_t column = FindColumn(names_, wanted, names_.size());
    if (column == names_.size() || column == key_ || column == type_ ||
        column == name_) {
      return LineError{
          1, absl::StrCat("there is no attribute column \"", wanted,
                          "\"; the columns are ", absl::StrJoin(names_, ", "))};
    }
    attributes_.push_back(column);
  }
  return std::nullopt;
}

std::optional<LineError> NodeRowParser::ReadAttributes(NodeRow* row) {
  row->attributes.clear();
  for (const size_t column : attributes_) {
    const TextField& field = fields_[column];
    float value = std::numeric_limits<float>::quiet_NaN();
    if (!IsMissing(field.text) &&
        (!absl::SimpleAtof(AsAbsl(field.text), &value) ||
         !std::isfinite(value))) {
      return LineError{
          field.column,
          absl::StrCat("bad value \"", AsAbsl(field.text),
                       "\" of the attribute ", names_[column],
                       ": it must be a number, or nothing when it is missing")};
    }
    row->attributes.push_back(value);
  }
  return std::nullopt;
}

std::optional<LineError> NodeRowParser::Parse(const TextLine& line,
                                              NodeRow* row) {
  row->key = {};
  if (line.text.find('\t') == std::string_view::npos) {
    return LineError{line.text.size() + 1,
                     "missing field: a node is key, type and name, separated "
                     "by tabs"};
  }
  SplitFields(line.text, &fields_);
  if (IsHeader(line)) return ReadHeader(line);
  if (attributes_.size() != attribute_columns_.size()) {
    return LineError{1,
                     "attribute columns need a header; begin the file with a "
                     "line that names the columns and starts with key"};
  }
  if (auto error =
          CheckFieldCount(line, fields_, names_.size(), names_.size(), names_))
    return error;
  row->key = fields_[key_];
  row->type = fields_[type_];
  row->name = fields_[name_];
  if (auto error = CheckIdentifier(row->key, "key")) return error;
  if (auto error = CheckIdentifier(row->type, "type")) return error;
  if (const auto invalid = FindInvalidUtf8(row->name.text))
    return LineError{row->name.column + *invalid, "invalid UTF-8 in the name"};
  return ReadAttributes(row);
}

}  // namespace slice
