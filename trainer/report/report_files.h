// A report as files, or as a page and text of a command.
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

// What a command does with its report: writes the page to `html`, unless that
// is empty, and prints the report to stdout, as JSON or as text. Returns the
// errors of WriteFileAtomically.
absl::Status ShowReport(const TrainingReport& report,
                        const std::filesystem::path& html, bool json);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_FILES_H_
