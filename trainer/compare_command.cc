#include "trainer/compare_command.h"

#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "trainer/methods/comparison/comparison_page.h"
#include "trainer/methods/comparison/comparison_text.h"

namespace slice {
namespace {

absl::Status CheckAllRan(const Comparison& comparison) {
  std::string first;
  int cells = 0, failed = 0;
  for (const ComparisonRow& row : comparison.rows) {
    for (const ComparisonCell& cell : row.cells) {
      ++cells;
      if (cell.error.empty()) continue;
      if (failed++ == 0) first = absl::StrCat(row.method, ": ", cell.error);
    }
  }
  if (failed == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(failed, " of ", cells, " failed; the first, ", first));
}

}  // namespace

absl::Status RunCompare(const ComparisonOptions& options, bool json) {
  SLICE_RETURN_IF_ERROR(CreateDirectories(options.out));
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
  return CheckAllRan(comparison);
}

}  // namespace slice
