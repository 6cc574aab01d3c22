#include "trainer/baseline_command.h"

#include <cstdio>
#include <string>

#include "common/files.h"
#include "common/status_macros.h"
#include "trainer/report/report_json.h"
#include "trainer/report/report_page.h"
#include "trainer/report/report_text.h"

namespace slice {

absl::Status RunBaseline(const BaselineOptions& options) {
  SLICE_RETURN_IF_ERROR(CreateFolderOf(options.html));
  SLICE_ASSIGN_OR_RETURN(const TrainingReport report, RunMethod(options.run));
  if (!options.html.empty()) {
    SLICE_RETURN_IF_ERROR(
        WriteFileAtomically(options.html, RenderReportHtml(report)));
  }
  const std::string text =
      options.json ? ReportJsonText(report) : ReportText(report);
  std::fputs(text.c_str(), stdout);
  return absl::OkStatus();
}

}  // namespace slice
