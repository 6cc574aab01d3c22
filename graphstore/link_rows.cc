#include "graphstore/link_rows.h"

#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace slice {
namespace {

constexpr std::string_view kSkipped = "_";

absl::string_view AsAbsl(std::string_view text) {
  return {text.data(), text.size()};
}

std::optional<LineError> ParseLabel(const TextField& field, LinkRow* row) {
  if (field.text.empty())
    return LineError{field.column, "empty field: the label"};
  if (field.text != "0" && field.text != "1") {
    return LineError{field.column,
                     absl::StrCat("bad label \"", AsAbsl(field.text),
                                  "\": it must be 1 or 0")};
  }
  row->positive = field.text == "1";
  row->label_column = field.column;
  return std::nullopt;
}

std::optional<LineError> ParseWeight(const TextField& field, LinkRow* row) {
  if (field.text.empty())
    return LineError{field.column, "empty field: the weight"};
  if (absl::SimpleAtof(AsAbsl(field.text), &row->weight) &&
      row->weight >= 1 / kMostLinkWeight && row->weight <= kMostLinkWeight)
    return std::nullopt;
  return LineError{
      field.column,
      absl::StrCat("bad weight \"", AsAbsl(field.text),
                   "\": it must be a number from ", 1 / kMostLinkWeight, " to ",
                   kMostLinkWeight,
                   "; a link of weight 0 is left out of the file")};
}

}  // namespace

LinkColumns::LinkColumns()
    : names_({"relation", "source", "target"}), relation_(0) {}

absl::StatusOr<LinkColumns> LinkColumns::Parse(std::string_view list) {
  LinkColumns columns;
  columns.names_ = absl::StrSplit(AsAbsl(list), ',');
  columns.relation_.reset();
  std::optional<size_t> source, target;
  const struct {
    std::string_view name;
    std::optional<size_t>* column;
  } known[] = {{"relation", &columns.relation_},
               {"source", &source},
               {"target", &target},
               {"label", &columns.label_},
               {"weight", &columns.weight_}};
  for (size_t i = 0; i < columns.names_.size(); ++i) {
    const std::string& name = columns.names_[i];
    bool found = name == kSkipped;
    for (const auto& [known_name, column] : known) {
      if (name != known_name) continue;
      if (column->has_value()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "the columns \"", AsAbsl(list), "\" name ", name, " twice"));
      }
      *column = i;
      found = true;
    }
    if (!found) {
      return absl::InvalidArgumentError(absl::StrCat(
          "\"", name, "\" in the columns \"", AsAbsl(list),
          "\" is none of relation, source, target, label, weight and _"));
    }
  }
  if (!source.has_value() || !target.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the columns \"", AsAbsl(list), "\" lack ",
                     source.has_value() ? "target" : "source"));
  }
  columns.source_ = *source;
  columns.target_ = *target;
  return columns;
}

LinkColumns LinkColumns::WithOptionalLabel() const {
  LinkColumns columns = *this;
  if (label_.has_value()) return columns;
  columns.label_ = columns.names_.size();
  columns.names_.push_back("label");
  columns.label_optional_ = true;
  return columns;
}

std::string LinkColumns::ToString() const { return absl::StrJoin(names_, ","); }

std::optional<LineError> LinkRowParser::Parse(const TextLine& line,
                                              LinkRow* row) {
  SplitFields(line.text, &fields_);
  const size_t most = columns_.names_.size();
  if (auto error =
          CheckFieldCount(line, fields_, most - columns_.label_optional_, most,
                          columns_.names_)) {
    if (fields_.size() == most + 1 && !columns_.has_label()) {
      error->reason +=
          " (only held-out files have labels; --columns tells what other "
          "columns hold)";
    }
    return error;
  }
  row->relation = {kOnlyRelation, 1};
  if (columns_.relation_) row->relation = fields_[*columns_.relation_];
  row->source = fields_[columns_.source_];
  row->target = fields_[columns_.target_];
  if (auto error = CheckIdentifier(row->relation, "relation")) return error;
  if (auto error = CheckIdentifier(row->source, "source")) return error;
  if (auto error = CheckIdentifier(row->target, "target")) return error;
  row->positive = true;
  row->weight = 1;
  if (columns_.label_ && *columns_.label_ < fields_.size()) {
    if (auto error = ParseLabel(fields_[*columns_.label_], row)) return error;
  }
  return columns_.weight_ ? ParseWeight(fields_[*columns_.weight_], row)
                          : std::nullopt;
}

}  // namespace slice
