// Writes a report to files, or shows it as the output of a command.
#ifndef SLICE_TRAINER_REPORT_REPORT_FILES_H_
#define SLICE_TRAINER_REPORT_REPORT_FILES_H_

#include <filesystem>

#include "absl/status/status.h"
#include "trainer/report/report.h"

namespace slice {

// Writes report.html, report.txt and, last, report.json: when that file exists,
// all three do. Makes the folder. Returns the errors of WriteFileAtomically.
absl::Status WriteReportFiles(const std::filesystem::path& directory,
                              const TrainingReport& report);

// What a command does with its report: writes the page to `html`, unless this
// is empty, and prints the report to stdout, as JSON when `json` is set and as
// text otherwise. Returns the errors of WriteFileAtomically.
absl::Status ShowReport(const TrainingReport& report,
                        const std::filesystem::path& html, bool json);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_FILES_H_
