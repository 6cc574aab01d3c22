// The list of links that `slice-client predict --links` scores.
//
// One link per line: `relation source target [label]`, separated by tabs or, in
// a line without a tab, by blanks. The label is 0 or 1. Blank lines and
// lines that begin with # are skipped; a carriage return at the end of a line
// is dropped.
#ifndef SLICE_CLIENT_LINK_FILE_H_
#define SLICE_CLIENT_LINK_FILE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

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
  // malformed line, or when there is no link at all. Columns count bytes from
  // 1.
  static absl::StatusOr<LinkFile> Parse(std::string name, std::string text);

  // Reads a file; "-" is standard input. Errors: those of Parse, and those of
  // reading.
  static absl::StatusOr<LinkFile> Read(const std::string& path);

  const std::string& name() const { return name_; }
  const std::vector<Line>& lines() const { return lines_; }

 private:
  LinkFile(std::string name, std::string text);

  std::string name_;
  std::unique_ptr<const std::string> text_;  // what lines_ point into
  std::vector<Line> lines_;
};

// The text of a file; "-" is standard input. Errors: those of ReadFile.
absl::StatusOr<std::string> ReadInput(const std::string& path);

}  // namespace slice

#endif  // SLICE_CLIENT_LINK_FILE_H_
