#include "trainer/report/report.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/page/markup.h"
#include "common/page/page_style.h"
#include "trainer/report/report_sections.h"

namespace slice {

RankingFigures MakeRankingFigures(const RankingMetrics& metrics) {
  return {metrics.count(),    metrics.MeanReciprocalRank(),
          metrics.MeanRank(), metrics.HitsAt(1),
          metrics.HitsAt(3),  metrics.HitsAt(10)};
}

BinaryMetrics TrainingReport::Overall() const {
  for (const ResultTable& table : results) {
    if (table.key == "published" && !table.rows.empty()) {
      return table.rows[0].metrics;
    }
  }
  return {};
}

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
        CurveSection(report), DistributionSection(report), ErrorSection(report),
        SplitSection(report), RelationSection(report), MetapathSection(report),
        AttentionSection(report), FidelitySection(report),
        ContextSection(report), LossSection(report), PretrainingSection(report),
        StepSection(report)}) {
    absl::StrAppend(&html, part);
  }
  return html + "</body>\n</html>\n";
}

SplitHistogram MakeSplitHistogram(std::span<const float> values,
                                  std::span<const uint8_t> labels, int bins) {
  SplitHistogram histogram;
  histogram.positives.resize(bins);
  histogram.negatives.resize(bins);
  if (values.empty()) return histogram;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least < 0 || *most > 1) {
    histogram.lower = *least;
    histogram.upper = *most > *least ? *most : *least + 1.0;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const double part =
        (values[i] - histogram.lower) / (histogram.upper - histogram.lower);
    const int bin = std::clamp(static_cast<int>(part * bins), 0, bins - 1);
    ++(labels[i] ? histogram.positives : histogram.negatives)[bin];
  }
  return histogram;
}

double Overlap(const SplitHistogram& histogram) {
  double positives = 0, negatives = 0, shared = 0;
  for (const uint64_t count : histogram.positives) positives += count;
  for (const uint64_t count : histogram.negatives) negatives += count;
  if (positives == 0 || negatives == 0) return 0;
  for (size_t i = 0; i < histogram.positives.size(); ++i) {
    shared += std::min(histogram.positives[i] / positives,
                       histogram.negatives[i] / negatives);
  }
  return shared;
}

}  // namespace slice
