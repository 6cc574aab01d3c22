// The summary of several runs for a reader.
#ifndef SLICE_TRAINER_REPORT_REPORT_SUMMARY_TEXT_H_
#define SLICE_TRAINER_REPORT_REPORT_SUMMARY_TEXT_H_

#include <string>

#include "trainer/report/report_summary.h"

namespace slice {

// For the terminal.
std::string SummaryText(const RunSummary& summary);

// One HTML page, as RenderReportHtml makes them.
std::string RenderSummaryHtml(const RunSummary& summary);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_SUMMARY_TEXT_H_
