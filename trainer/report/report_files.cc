#include "trainer/report/report_files.h"

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

}  // namespace slice
