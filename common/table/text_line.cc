#include "common/table/text_line.h"

#include "absl/strings/str_cat.h"

namespace slice {

std::string DescribeLineError(const std::filesystem::path& path,
                              const TextLine& line, const LineError& error) {
  return absl::StrCat(path.string(), ":", line.number, ":", error.column, ": ",
                      error.reason);
}

}  // namespace slice
