// A LinkFile keeps the whole text of the file; the fields of its lines are
// views into this text. Only a quoted field that contains quotes is copied,
// because it is written otherwise than it is meant. The first malformed line
// ends the reading with an error that says where the line is wrong:
// "name:line:column: reason".
#include "client/link_file.h"

#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/table/line_reader.h"
#include "common/table/link_rows.h"
#include "common/table/whole_text.h"

namespace slice {
LinkFile::LinkFile(std::string name, std::string text)
    : name_(std::move(name)),
      text_(std::make_unique<const std::string>(std::move(text))),
      unescaped_(std::make_unique<std::deque<std::string>>()) {}

std::string_view LinkFile::Keep(std::string_view field) {
  const char* const begin = text_->data();
  const std::less<const char*> before;
  const bool in_text = !before(field.data(), begin) &&
                       !before(begin + text_->size(), field.data());
  if (in_text || field.data() == kOnlyRelation.data()) return field;
  return unescaped_->emplace_back(field);
}

absl::StatusOr<LinkFile> LinkFile::Parse(std::string name, std::string text,
                                         LinkShapeOptions options) {
  LinkFile file(std::move(name), std::move(text));
  options.may_have_label = true;
  LineReader lines{std::string_view(*file.text_)};
  SLICE_ASSIGN_OR_RETURN(LinkShape shape,
                         RecogniseLinks(file.name_, options, &lines));
  if (!shape.is_plain()) file.recognised_ = shape.recognised;
  LinkRowParser rows(std::move(shape));
  while (const auto line = lines.Next()) {
    LinkRow row;
    if (const auto error = rows.Parse(*line, &row)) {
      return absl::InvalidArgumentError(
          DescribeLineError(file.name_, *line, *error));
    }
    const std::string_view label = !row.has_label ? ""
                                   : row.positive ? "1"
                                                  : "0";
    file.lines_.push_back({file.Keep(row.relation.text),
                           file.Keep(row.source.text),
                           file.Keep(row.target.text), label, line->number});
  }
  SLICE_RETURN_IF_ERROR(lines.status());
  if (file.lines_.empty())
    return absl::InvalidArgumentError(
        absl::StrCat(file.name_, ":1:1: there is no link to score"));
  return file;
}

absl::StatusOr<LinkFile> LinkFile::Read(const std::string& path,
                                        LinkShapeOptions shape) {
  SLICE_ASSIGN_OR_RETURN(std::string text, ReadInput(path));
  return Parse(path == "-" ? "standard input" : path, std::move(text),
               std::move(shape));
}

absl::StatusOr<std::string> ReadInput(const std::string& path) {
  return path == "-" ? ReadWholeStandardInput() : ReadWholeText(path);
}

}  // namespace slice
