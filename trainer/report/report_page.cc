#include "trainer/report/report_page.h"

#include "absl/strings/str_cat.h"
#include "common/page/markup.h"
#include "common/page/page_style.h"
#include "trainer/report/report_charts.h"
#include "trainer/report/report_tables.h"

namespace slice {

std::string RenderReportHtml(const TrainingReport& report) {
  std::string html = absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n",
      "<title>", EscapeMarkup(report.title), "</title>\n");
  absl::StrAppend(&html, "<style>", std::string(ReportStyleSheet()),
                  "</style>\n</head>\n<body>\n");
  for (const std::string& part :
       {HeaderSection(report), ResultsSection(report), RankingSection(report),
        CurveSection(report), ReliabilitySection(report),
        ImpossibleSection(report), DistributionSection(report),
        ErrorSection(report), SplitSection(report), RelationSection(report),
        MetapathSection(report), AttentionSection(report),
        FidelitySection(report), ContextSection(report), LossSection(report),
        PretrainingSection(report), StepSection(report)}) {
    absl::StrAppend(&html, part);
  }
  return html + "</body>\n</html>\n";
}

}  // namespace slice
