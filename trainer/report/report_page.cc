#include "trainer/report/report_page.h"

#include "absl/strings/str_cat.h"
#include "common/page/html_page.h"
#include "trainer/report/page_blocks.h"
#include "trainer/report/report_charts.h"
#include "trainer/report/report_tables.h"

namespace slice {

std::string RenderReportHtml(const TrainingReport& report) {
  const PageSection sections[] = {
      {"Results", ResultsSection(report)},
      {"Ranking", RankingSection(report)},
      {"Examples, and why", ExampleSection(report)},
      {"Curves", CurveSection(report)},
      {"Reliability by relation", ReliabilitySection(report)},
      {"Impossible links", ImpossibleSection(report)},
      {"Scores, static and contextual", DistributionSection(report)},
      {"Where it errs", ErrorSection(report)},
      {"Easy and hard pairs apart", SplitSection(report)},
      {"Per relation", RelationSection(report)},
      {"Metapaths", MetapathSection(report)},
      {"Fidelity of explanations", FidelitySection(report)},
      {"Contexts", ContextSection(report)},
      {"Training", LossSection(report)},
      {"Pre-training", PretrainingSection(report)},
      {"Time and memory", StepSection(report)}};
  return HtmlPage(report.title,
                  absl::StrCat(HeaderSection(report), Sections(sections)));
}

}  // namespace slice
