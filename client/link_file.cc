// A LinkFile keeps the whole text of the file; the fields of its lines are
// views into this text. Each line is cut at tabs, or at blanks when it has no
// tab. The first malformed line ends the reading with an error that says where
// the line is wrong: "name:line:column: reason".
#include "client/link_file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "common/text_width.h"

namespace slice {
namespace {

constexpr size_t kMaxFields = 4;
constexpr const char* kFieldNames[kMaxFields] = {"relation", "source", "target",
                                                 "label"};

absl::string_view Quotable(std::string_view text) {
  return {text.data(), text.size()};
}

// Cuts one line into fields and remembers where each begins.
class LineFields {
 public:
  explicit LineFields(std::string_view line) : line_(line) {
    if (line.find('\t') != std::string_view::npos) {
      SplitAtTabs();
    } else {
      SplitAtBlanks();
    }
  }

  size_t count() const { return count_; }
  std::string_view operator[](size_t i) const { return fields_[i]; }

  // The byte column, from 1, where field `i` begins. For a missing field, one
  // past the end of the line.
  size_t Column(size_t i) const {
    return 1 + (i < std::min(count_, kMaxFields + 1)
                    ? fields_[i].data() - line_.data()
                    : line_.size());
  }

 private:
  void Add(size_t begin, size_t end) {
    // Keeps one field more than a line may have, for the error's column.
    if (count_ <= kMaxFields)
      fields_[count_] = line_.substr(begin, end - begin);
    ++count_;
  }

  void SplitAtTabs() {
    for (size_t begin = 0;;) {
      const size_t tab = line_.find('\t', begin);
      Add(begin, std::min(tab, line_.size()));
      if (tab == std::string_view::npos) return;
      begin = tab + 1;
    }
  }

  void SplitAtBlanks() {
    for (size_t begin = line_.find_first_not_of(' ');
         begin != std::string_view::npos;) {
      const size_t end = std::min(line_.find(' ', begin), line_.size());
      Add(begin, end);
      begin = line_.find_first_not_of(' ', end);
    }
  }

  const std::string_view line_;
  std::array<std::string_view, kMaxFields + 1> fields_;
  size_t count_ = 0;
};

// The files of a graph follow the same rule (graphstore/line_reader.h).
bool IsBlankOrComment(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos ||
         line.front() == '#';
}

struct Flaw {
  size_t column;
  std::string reason;
};

// The first flaw of a line; its reason is empty when the line is good.
Flaw FindFlaw(const LineFields& fields) {
  if (fields.count() < 3) {
    return {fields.Column(fields.count()),
            absl::StrCat("the ", kFieldNames[fields.count()],
                         " is missing; a line is \"relation source target "
                         "[label]\"")};
  }
  if (fields.count() > kMaxFields) {
    return {fields.Column(kMaxFields),
            "more than four fields; separate the fields by tabs when names "
            "contain blanks"};
  }
  for (size_t i = 0; i < fields.count(); ++i) {
    if (fields[i].empty())
      return {fields.Column(i),
              absl::StrCat("the ", kFieldNames[i], " is empty")};
    const size_t valid = ValidUtf8Prefix(fields[i]);
    if (valid < fields[i].size())
      return {fields.Column(i) + valid,
              absl::StrCat("the ", kFieldNames[i], " is not valid UTF-8")};
  }
  if (fields.count() == 4 && fields[3] != "0" && fields[3] != "1") {
    return {fields.Column(3),
            absl::StrCat("bad label \"", Quotable(fields[3]),
                         "\": it must be 1 or 0; separate fields by tabs when "
                         "names contain blanks")};
  }
  return {0, ""};
}

absl::StatusOr<std::string> ReadStandardInput() {
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (const size_t got =
             std::fread(buffer.data(), 1, buffer.size(), stdin)) {
    text.append(buffer.data(), got);
  }
  if (std::ferror(stdin)) return FileError("read", "standard input", errno);
  return text;
}

}  // namespace

LinkFile::LinkFile(std::string name, std::string text)
    : name_(std::move(name)),
      text_(std::make_unique<const std::string>(std::move(text))) {}

absl::StatusOr<LinkFile> LinkFile::Parse(std::string name, std::string text) {
  LinkFile file(std::move(name), std::move(text));
  std::string_view rest = *file.text_;
  for (size_t number = 1; !rest.empty(); ++number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (IsBlankOrComment(line)) continue;
    const LineFields fields(line);
    if (const Flaw flaw = FindFlaw(fields); !flaw.reason.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          file.name_, ":", number, ":", flaw.column, ": ", flaw.reason));
    }
    file.lines_.push_back({fields[0], fields[1], fields[2],
                           fields.count() == 4 ? fields[3] : std::string_view(),
                           number});
  }
  if (file.lines_.empty())
    return absl::InvalidArgumentError(
        absl::StrCat(file.name_, ":1:1: there is no link to score"));
  return file;
}

absl::StatusOr<LinkFile> LinkFile::Read(const std::string& path) {
  SLICE_ASSIGN_OR_RETURN(std::string text, ReadInput(path));
  return Parse(path == "-" ? "standard input" : path, std::move(text));
}

absl::StatusOr<std::string> ReadInput(const std::string& path) {
  return path == "-" ? ReadStandardInput() : ReadFile(path);
}

}  // namespace slice
