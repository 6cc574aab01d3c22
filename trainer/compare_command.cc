#include "trainer/compare_command.h"

#include <cstdio>
#include <string>
#include <system_error>

#include "common/files.h"
#include "common/status_macros.h"

namespace slice {

absl::Status RunCompare(const ComparisonOptions& options, bool json) {
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error) return FileError("create", options.out, error.value());
  SLICE_ASSIGN_OR_RETURN(const Comparison comparison, Compare(options));
  const std::string as_json = ComparisonJson(comparison);
  const std::string as_text = ComparisonMarkdown(comparison);
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(options.out / "comparison.json", as_json));
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(options.out / "comparison.md", as_text));
  SLICE_RETURN_IF_ERROR(WriteFileAtomically(options.out / "comparison.html",
                                            ComparisonHtml(comparison)));
  std::fputs((json ? as_json : as_text).c_str(), stdout);
  return absl::OkStatus();
}

}  // namespace slice
