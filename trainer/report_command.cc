#include "trainer/report_command.h"

#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "trainer/report/report.h"
#include "trainer/report/report_json.h"
#include "trainer/report/report_page.h"
#include "trainer/report/report_summary.h"
#include "trainer/report/report_summary_text.h"
#include "trainer/report/report_text.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

absl::StatusOr<TrainingReport> ReadReport(const fs::path& input) {
  std::error_code error;
  const fs::path path =
      fs::is_directory(input, error) ? input / "report" / "report.json" : input;
  SLICE_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  auto report = ReportFromJson(text);
  if (report.ok()) return report;
  return absl::Status(report.status().code(),
                      absl::StrCat(path.string(), ": ",
                                   std::string(report.status().message())));
}

absl::Status Write(const ReportOptions& options, const std::string& html,
                   const std::string& text) {
  if (!options.html.empty()) {
    SLICE_RETURN_IF_ERROR(CreateFolderOf(options.html));
    SLICE_RETURN_IF_ERROR(WriteFileAtomically(options.html, html));
  }
  std::fputs(text.c_str(), stdout);
  return absl::OkStatus();
}

}  // namespace

absl::Status RunReport(const ReportOptions& options) {
  std::vector<TrainingReport> reports;
  for (const fs::path& input : options.inputs) {
    SLICE_ASSIGN_OR_RETURN(TrainingReport report, ReadReport(input));
    reports.push_back(std::move(report));
  }
  if (reports.size() == 1 && !options.summary) {
    return Write(
        options, RenderReportHtml(reports[0]),
        options.json ? ReportJsonText(reports[0]) : ReportText(reports[0]));
  }
  SLICE_ASSIGN_OR_RETURN(const RunSummary summary, SummarizeReports(reports));
  return Write(
      options, RenderSummaryHtml(summary),
      options.json ? SummaryJsonText(summary, reports) : SummaryText(summary));
}

StatusRun DefineReport(CommandFlags& flags) {
  const auto options = std::make_shared<ReportOptions>();
  flags
      .AddArgument("INPUTS", options->inputs,
                   "bundles, or files of evaluate --json")
      .Required();
  flags.Add("--html", options->html, "also write the page here").Type("FILE");
  flags.AddSwitch("--summary", options->summary,
                  "means and deviations of a single run, too");
  flags.AddSwitch("--json", options->json, "print the report as JSON");
  return [options](const CommandStreams&) { return RunReport(*options); };
}

}  // namespace slice
