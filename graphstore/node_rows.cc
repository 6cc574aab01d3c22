// The first row of a node file decides how the other rows are read. When it is
// a header, NameColumns finds the columns by name; otherwise the columns are
// key, type and name, in this order. Attribute columns can only be found in a
// header, so a file without a header is refused when attributes are wanted.
// Parse requires that every row has as many fields as there are columns.
#include "graphstore/node_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/table/column_names.h"
#include "common/table/dialect_recognition.h"
#include "common/table/first_column.h"

namespace slice {
namespace {

absl::string_view AsAbsl(std::string_view text) {
  return {text.data(), text.size()};
}

// Fewer rows may all differ by chance.
constexpr size_t kFewRows = 5;
constexpr double kNearlyAll = 0.9;

bool IsKeyName(std::string_view text) { return text == "id" || text == "key"; }

// Whether a name says whose ids a column has, such as user_id.
bool NamesIds(const std::string& text) {
  return LooksLikeColumnOfIds(text) && !IsKeyName(text);
}

bool IsMissing(std::string_view text) {
  for (const char* word : {"", "na", "nan", "null"}) {
    if (absl::EqualsIgnoreCase(AsAbsl(text), word)) return true;
  }
  return false;
}

}  // namespace

std::string NodeRowParser::Recognise(LineReader* reader) {
  bool is_whole = false;
  const std::string_view text = reader->Peek(&is_whole);
  const TableSample sample = ReadSample(text, is_whole, {});
  if (sample.rows.empty()) return "";
  dialect_ = sample.dialect;
  splitter_ = FieldSplitter(dialect_);
  reader->SetDialect(dialect_);
  LookAtSample(sample.rows);
  const std::vector<std::string>& first = sample.rows.front();
  const std::string dialect = sample.Describe();
  // Comments may stand before the first row.
  const uint64_t line = text.starts_with(sample.first_line) ? 1 : 2;
  if (!IsHeader(line, first))
    return dialect + ", no header; the columns are key, type, name";
  NodeRowParser named(*this);
  named.NameColumns(first);
  std::string text_of_columns = absl::StrCat(
      dialect, ", a header; \"", first[named.key_], "\" is the key");
  for (const auto& [column, what] :
       {std::pair(named.type_, "type"), std::pair(named.name_, "name")}) {
    absl::StrAppend(&text_of_columns, ", ");
    if (column) {
      absl::StrAppend(&text_of_columns, "\"", first[*column], "\" is the ",
                      what);
    } else {
      absl::StrAppend(&text_of_columns, "no ", what);
    }
  }
  return text_of_columns;
}

void NodeRowParser::LookAtSample(Rows rows) {
  const std::vector<std::string>& first = rows.front();
  const Rows below = rows.subspan(1);
  std::set<std::string_view> words;
  for (const std::vector<std::string>& row : below)
    words.insert(row.begin(), row.end());
  names_ids_ =
      !below.empty() && std::any_of(first.begin(), first.end(), NamesIds) &&
      std::none_of(first.begin(), first.end(), [&](const std::string& word) {
        return words.contains(word);
      });
  const auto label = FindNodeColumn(first, NodeRole::kLabel);
  label_is_name_ = label.has_value() && below.size() >= kFewRows &&
                   double(ValuesBelow(below, *label).size()) >=
                       kNearlyAll * double(below.size());
}

bool NodeRowParser::IsHeader(uint64_t line,
                             const std::vector<std::string>& names) const {
  if (has_rows_) return false;
  if (names_ids_) return true;
  if (line == 1 && IsKeyName(names[0])) return true;
  return FindNodeColumn(names, NodeRole::kKey) &&
         (FindNodeColumn(names, NodeRole::kType) ||
          FindNodeColumn(names, NodeRole::kName));
}

void NodeRowParser::NameColumns(std::vector<std::string> names) {
  names_ = std::move(names);
  const size_t ids =
      std::find_if(names_.begin(), names_.end(), NamesIds) - names_.begin();
  key_ = FindNodeColumn(names_, NodeRole::kKey)
             .value_or(ids < names_.size() ? ids : 0);
  type_ = FindNodeColumn(names_, NodeRole::kType);
  name_ = FindNodeColumn(names_, NodeRole::kName);
  if (name_ || !label_is_name_) return;
  name_ = FindNodeColumn(names_, NodeRole::kLabel);
  if (type_ == name_) type_.reset();
}

std::optional<LineError> NodeRowParser::ReadHeader(
    std::vector<std::string> names) {
  NameColumns(std::move(names));
  for (const std::string& wanted : attribute_columns_) {
    const size_t column =
        std::find(names_.begin(), names_.end(), wanted) - names_.begin();
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
  if (dialect_.separator == Separator::kPlain &&
      line.text.find('\t') == std::string_view::npos) {
    return LineError{line.text.size() + 1,
                     "missing field: a node is key, type and name, separated "
                     "by tabs, commas or semicolons"};
  }
  if (auto error = splitter_.Split(line.text, &fields_)) return error;
  if (!has_rows_) {
    std::vector<std::string> names;
    for (const TextField& field : fields_) names.emplace_back(field.text);
    const bool is_header = IsHeader(line.number, names);
    has_rows_ = true;
    if (is_header) return ReadHeader(std::move(names));
  }
  if (attributes_.size() != attribute_columns_.size()) {
    return LineError{1,
                     "attribute columns need a header; begin the file with a "
                     "line that names the columns and starts with key"};
  }
  if (auto error =
          CheckFieldCount(line, fields_, names_.size(), names_.size(), names_))
    return error;
  row->key = fields_[key_];
  row->type = type_ ? fields_[*type_] : TextField{kOnlyNodeType};
  row->name = name_ ? fields_[*name_] : TextField{};
  if (auto error = CheckIdentifier(row->key, "key")) return error;
  if (auto error = CheckIdentifier(row->type, "type")) return error;
  if (auto error = CheckText(row->name, "name")) return error;
  return ReadAttributes(row);
}

LineError UnknownKey(const TextField& key, const std::filesystem::path& nodes) {
  return {key.column,
          absl::StrCat("the key \"", AsAbsl(key.text),
                       "\" is not in the node file ", nodes.string())};
}

}  // namespace slice
