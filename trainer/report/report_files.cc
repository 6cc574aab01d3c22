#include "trainer/report/report_files.h"

#include <cstdio>
#include <string>

#include "common/files.h"
#include "common/status_macros.h"
#include "trainer/report/report_json.h"
#include "trainer/report/report_page.h"
#include "trainer/report/report_text.h"

namespace slice {

absl::Status WriteReportFiles(const std::filesystem::path& directory,
                              const TrainingReport& report) {
  SLICE_RETURN_IF_ERROR(CreateDirectories(directory));
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(directory / "report.html", RenderReportHtml(report)));
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(directory / "report.txt", ReportText(report)));
  return WriteFileAtomically(directory / "report.json", ReportJsonText(report));
}

absl::Status ShowReport(const TrainingReport& report,
                        const std::filesystem::path& html, bool json) {
  if (!html.empty()) {
    SLICE_RETURN_IF_ERROR(WriteFileAtomically(html, RenderReportHtml(report)));
  }
  const std::string text = json ? ReportJsonText(report) : ReportText(report);
  std::fputs(text.c_str(), stdout);
  return absl::OkStatus();
}

}  // namespace slice
