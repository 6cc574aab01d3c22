// Converts a report to JSON and back. The format is described in
// report_json.cc.
#ifndef SLICE_TRAINER_REPORT_REPORT_JSON_H_
#define SLICE_TRAINER_REPORT_REPORT_JSON_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "trainer/report/report.h"

namespace slice {

// The report and, beside its parts, shortcuts for scripts: `overall.auroc`,
// `typed.auroc`, `scorers.structural.published.f1`, … (docs/evaluation.md).
nlohmann::json ReportToJson(const TrainingReport& report);

// ReportToJson as indented text that ends in a line break.
std::string ReportJsonText(const TrainingReport& report);

// The report that ReportToJson wrote. DATA_LOSS when `text` is something else.
absl::StatusOr<TrainingReport> ReportFromJson(std::string_view text);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_JSON_H_
