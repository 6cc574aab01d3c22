// The list of links that `slice-client predict --links` scores.
//
// One link per line: `relation source target [label]`, separated by tabs or, in
// a line without a tab, by blanks. The label is 0 or 1. Commas, semicolons,
// quotes and a header that names the columns are recognised
// (common/table/link_shape.h). Blank lines and lines that begin with # are
// skipped.
#ifndef SLICE_CLIENT_LINK_FILE_H_
#define SLICE_CLIENT_LINK_FILE_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "common/table/link_shape.h"

namespace slice {

// Immutable; thread-safe. Movable.
class LinkFile {
 public:
  struct Line {
    std::string_view relation;
    std::string_view source;
    std::string_view target;
    std::string_view label;  // empty when there is none
    size_t number = 0;       // from 1
  };

  // Reads the links in `text`; `name` names the text in errors. Returns
  // INVALID_ARGUMENT with the message "name:line:column: reason" for the first
  // malformed line, or when there is no link at all, and the errors of
  // RecogniseLinks. Columns count bytes from 1.
  static absl::StatusOr<LinkFile> Parse(std::string name, std::string text,
                                        LinkShapeOptions shape = {});

  // Reads a file; "-" is standard input. Errors: those of Parse, and those of
  // reading.
  static absl::StatusOr<LinkFile> Read(const std::string& path,
                                       LinkShapeOptions shape = {});

  const std::string& name() const { return name_; }
  const std::vector<Line>& lines() const { return lines_; }
  // One line that says how the file is written; empty when it is plain.
  const std::string& recognised() const { return recognised_; }

 private:
  LinkFile(std::string name, std::string text);
  // A view of `field` that lives as long as this file.
  std::string_view Keep(std::string_view field);

  std::string name_, recognised_;
  std::unique_ptr<const std::string> text_;  // what lines_ point into
  // What lines_ point into when a field is not written as it is meant.
  std::unique_ptr<std::deque<std::string>> unescaped_;
  std::vector<Line> lines_;
};

// The text of a file, decompressed; "-" is standard input. Errors:
// those of ReadWholeText.
absl::StatusOr<std::string> ReadInput(const std::string& path);

}  // namespace slice

#endif  // SLICE_CLIENT_LINK_FILE_H_
