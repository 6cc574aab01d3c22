#include "client/edit_file.h"

#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/table/line_reader.h"
#include "common/table/text_fields.h"

namespace slice {
namespace {

using Fields = std::vector<TextField>;

std::string Text(const TextField& field) { return std::string(field.text); }

std::optional<LineError> CheckCount(const TextLine& line, const Fields& fields,
                                    size_t least, size_t most,
                                    const std::vector<std::string>& names) {
  return CheckFieldCount(line, fields, least, most, names);
}

std::optional<LineError> ReadLink(const TextLine& line, const Fields& fields,
                                  bool adds, GraphEdit* edit) {
  if (auto error =
          CheckCount(line, fields, 4, adds ? 5 : 4,
                     {"+ or -", "source", "relation", "target", "weight"}))
    return error;
  const std::pair<const char*, std::string*> parts[] = {
      {"source", &edit->source},
      {"relation", &edit->relation},
      {"target", &edit->target}};
  for (size_t i = 0; i < 3; ++i) {
    if (auto error = CheckIdentifier(fields[i + 1], parts[i].first))
      return error;
    *parts[i].second = Text(fields[i + 1]);
  }
  edit->kind = adds ? GraphEditKind::kAddLink : GraphEditKind::kRemoveLink;
  if (fields.size() < 5) return std::nullopt;
  if (absl::SimpleAtof(Text(fields[4]), &edit->weight) && edit->weight > 0 &&
      std::isfinite(edit->weight))
    return std::nullopt;
  return LineError{
      fields[4].column,
      absl::StrCat("the weight \"", Text(fields[4]), "\" is not above 0")};
}

std::optional<LineError> ReadNode(const TextLine& line, const Fields& fields,
                                  bool adds, GraphEdit* edit) {
  if (auto error = CheckCount(line, fields, 2, adds ? 4 : 2,
                              {"+node or -node", "key", "type", "name"}))
    return error;
  if (auto error = CheckIdentifier(fields[1], "key")) return error;
  edit->kind = adds ? GraphEditKind::kUpsertNode : GraphEditKind::kRemoveNode;
  edit->key = Text(fields[1]);
  if (fields.size() > 2) edit->type = Text(fields[2]);
  if (fields.size() > 3) edit->name = Text(fields[3]);
  return std::nullopt;
}

std::optional<LineError> ReadEdit(const TextLine& line, const Fields& fields,
                                  GraphEdit* edit) {
  const std::string_view what = fields.front().text;
  if (what == "+" || what == "-")
    return ReadLink(line, fields, what == "+", edit);
  if (what == "+node" || what == "-node")
    return ReadNode(line, fields, what == "+node", edit);
  return LineError{fields.front().column,
                   absl::StrCat("\"", std::string(what),
                                "\" is none of +, -, +node and -node; put a "
                                "tab between the fields")};
}

// What the changes of a batch are about.
class Touched {
 public:
  // Adds a change; false when it contradicts what is there.
  bool Add(const GraphEdit& edit) {
    switch (edit.kind) {
      case GraphEditKind::kAddLink:
      case GraphEditKind::kRemoveLink:
        if (removed_.contains(edit.source) || removed_.contains(edit.target) ||
            !links_.insert({edit.source, edit.relation, edit.target}).second)
          return false;
        ends_.insert({edit.source, edit.target});
        return true;
      case GraphEditKind::kUpsertNode:
        return !removed_.contains(edit.key) && set_.insert(edit.key).second;
      case GraphEditKind::kRemoveNode:
        return !ends_.contains(edit.key) && !set_.contains(edit.key) &&
               removed_.insert(edit.key).second;
    }
    return true;
  }

 private:
  std::set<std::vector<std::string>> links_;
  std::set<std::string> ends_, set_, removed_;  // keys
};

}  // namespace

absl::StatusOr<EditFile> ParseEdits(std::string_view name,
                                    std::string_view text) {
  const TableDialect dialect = {Separator::kTab, /*quoted=*/false};
  LineReader lines(text);
  FieldSplitter splitter(dialect);
  Fields fields;
  EditFile file;
  while (const auto line = lines.Next()) {
    splitter.Split(line->text, &fields);
    file.lines.push_back(line->number);
    if (const auto error = ReadEdit(*line, fields, &file.edits.emplace_back()))
      return absl::InvalidArgumentError(
          DescribeLineError(std::string(name), *line, *error));
  }
  if (!lines.status().ok()) return lines.status();
  if (file.edits.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(std::string(name), ": the file holds no change"));
  }
  return file;
}

std::vector<size_t> BatchSizes(const std::vector<GraphEdit>& edits,
                               size_t most) {
  std::vector<size_t> sizes;
  Touched touched;
  size_t size = 0;
  for (const GraphEdit& edit : edits) {
    if (size == most || !touched.Add(edit)) {
      sizes.push_back(size);
      size = 0;
      touched = {};
      touched.Add(edit);
    }
    ++size;
  }
  if (size > 0) sizes.push_back(size);
  return sizes;
}

}  // namespace slice
