// A report as files in a folder.
#ifndef SLICE_TRAINER_REPORT_REPORT_FILES_H_
#define SLICE_TRAINER_REPORT_REPORT_FILES_H_

#include <filesystem>

#include "absl/status/status.h"
#include "trainer/report/report.h"

namespace slice {

// Writes report.html, report.txt and, last, report.json: when that file exists,
// all do. Makes the folder. Returns the errors of WriteFileAtomically.
absl::Status WriteReportFiles(const std::filesystem::path& directory,
                              const TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_FILES_H_
