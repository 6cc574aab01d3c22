#include "trainer/report_files.h"

#include <nlohmann/json.hpp>
#include <system_error>

#include "common/files.h"
#include "common/status_macros.h"

namespace slice {

absl::Status WriteReportFiles(const std::filesystem::path& directory,
                              const TrainingReport& report) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return FileError("create", directory, error.value());
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(directory / "report.html", RenderReportHtml(report)));
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(directory / "report.txt", ReportText(report)));
  return WriteFileAtomically(directory / "report.json",
                             ReportToJson(report).dump(2) + "\n");
}

}  // namespace slice
