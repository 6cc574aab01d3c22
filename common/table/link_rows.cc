#include "common/table/link_rows.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace slice {
namespace {

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
  row->has_label = true;
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
                   "; to give a link no weight, leave its line out")};
}

}  // namespace

std::optional<LineError> LinkRowParser::Parse(const TextLine& line,
                                              LinkRow* row) {
  if (auto error = splitter_.Split(line.text, &fields_)) return error;
  const LinkColumns& columns = shape_.columns;
  const size_t most = columns.names().size();
  if (auto error =
          CheckFieldCount(line, fields_, most - columns.label_is_optional(),
                          most, columns.names())) {
    if (fields_.size() == most + 1 && !columns.label()) {
      error->reason +=
          " (only held-out files may end with a label; if this column is "
          "something else, name all columns with --columns)";
    }
    return error;
  }
  row->relation = {kOnlyRelation, 1};
  if (columns.relation()) row->relation = fields_[*columns.relation()];
  row->source = fields_[columns.source()];
  row->target = fields_[columns.target()];
  if (shape_.IsHeader(row->source.text, row->target.text)) {
    return LineError{1,
                     "this line repeats the first one, which is read as a "
                     "header; remove it, or give --format no-header if both "
                     "are links"};
  }
  if (auto error = CheckIdentifier(row->relation, "relation")) return error;
  if (auto error = CheckIdentifier(row->source, "source")) return error;
  if (auto error = CheckIdentifier(row->target, "target")) return error;
  row->has_label = false;
  row->positive = true;
  row->weight = 1;
  row->time = columns.time() ? fields_[*columns.time()] : TextField{};
  if (columns.label() && *columns.label() < fields_.size()) {
    if (auto error = ParseLabel(fields_[*columns.label()], row)) return error;
  }
  return columns.weight() ? ParseWeight(fields_[*columns.weight()], row)
                          : std::nullopt;
}

}  // namespace slice
