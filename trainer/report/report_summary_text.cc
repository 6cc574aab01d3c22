// The summary of several runs, as text and as a page. Both show one table per
// set of negatives with mean ± deviation in percent and, for two runs and more,
// the paired differences in percentage points with two standard errors.
#include "trainer/report/report_summary_text.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/page/html_page.h"
#include "common/page/markup.h"
#include "common/progress.h"
#include "trainer/report/page_blocks.h"

namespace slice {
namespace {

// "98.07 ± 0.02", in percent; a dash when not measured.
std::string WithDeviation(const MeanDeviation& value) {
  if (std::isnan(value.deviation)) return Percent(value.mean);
  return absl::StrFormat("%.2f ± %.2f", 100 * value.mean,
                         100 * value.deviation);
}

std::string Signed(double value) {
  return std::isnan(value) ? "–" : absl::StrFormat("%+.2f", 100 * value);
}

std::string Error(const MeanDeviation& value) {
  return std::isnan(value.deviation)
             ? ""
             : absl::StrFormat(" (± %.2f)", 200 * value.StandardError());
}

std::string Costs(const RunSummary& summary) {
  std::string text;
  if (summary.seconds.count > 0) {
    absl::StrAppend(&text, FormatSeconds(summary.seconds.mean), " a run");
  }
  if (summary.peak_mib.count > 0) {
    absl::StrAppendFormat(&text, "%s%.0f MiB at most", text.empty() ? "" : ", ",
                          summary.peak_mib.mean);
  }
  return text;
}

std::string TableHtml(const SummaryTable& table) {
  std::string html =
      "<tr><th>method</th><th>AUROC</th><th></th><th>AUPR</th><th>F1</th></tr>";
  for (const SummaryRow& row : table.rows) {
    absl::StrAppend(&html, row.is_model ? "<tr class=\"ours\">" : "<tr>",
                    "<td>", EscapeMarkup(row.method), "</td><td>",
                    WithDeviation(row.auroc), "</td>",
                    BarCell(row.auroc.mean, 0.5));
    absl::StrAppend(&html, "<td>", WithDeviation(row.average_precision),
                    "</td><td>", WithDeviation(row.f1), "</td></tr>");
  }
  return absl::StrCat("<h3>", EscapeMarkup(table.title), "</h3>",
                      WideTable(table.title, html));
}

std::string DifferencesHtml(const RunSummary& summary) {
  std::string html =
      "<tr><th>negatives</th><th>difference</th><th>measure</th>"
      "<th>mean (± two standard errors)</th><th>clear</th></tr>";
  for (const PairedDifference& row : summary.differences) {
    absl::StrAppend(&html, row.IsClear() ? "<tr class=\"ours\">" : "<tr>",
                    "<td>", EscapeMarkup(row.set), "</td><td>",
                    EscapeMarkup(row.first), " − ", EscapeMarkup(row.second),
                    "</td>");
    absl::StrAppend(&html, "<td>", row.measure, "</td><td>",
                    Signed(row.difference.mean), Error(row.difference),
                    "</td><td>", row.IsClear() ? "yes" : "no", "</td></tr>");
  }
  return WideTable("Paired differences", html);
}

}  // namespace

std::string SummaryText(const RunSummary& summary) {
  std::string text = absl::StrFormat(
      "%s: %d runs, seeds %s; %s\n", summary.title, summary.seeds.size(),
      absl::StrJoin(summary.seeds, " "), Costs(summary));
  for (const SummaryTable& table : summary.tables) {
    absl::StrAppendFormat(&text, "%-30s %15s %15s %15s\n", table.title, "AUROC",
                          "AUPR", "F1");
    for (const SummaryRow& row : table.rows) {
      // The plus-minus sign takes two bytes and one column.
      const auto column = [](const MeanDeviation& value) {
        const std::string text = WithDeviation(value);
        return std::isnan(value.deviation) ? absl::StrFormat("%15s", text)
                                           : absl::StrFormat("%16s", text);
      };
      absl::StrAppendFormat(&text, "  %-28s %s %s %s\n", row.method,
                            column(row.auroc), column(row.average_precision),
                            column(row.f1));
    }
  }
  if (summary.mrr.count > 0) {
    const MeanDeviation mrr = WithError(summary.mrr, summary.mrr_error);
    absl::StrAppendFormat(&text, "filtered MRR %.3f", mrr.mean);
    if (mrr.deviation > 0)
      absl::StrAppendFormat(&text, " ± %.3f", mrr.deviation);
    text += "\n";
  }
  if (summary.seeds.size() < 2) return text;
  absl::StrAppend(&text,
                  "paired differences in points (± two standard "
                  "errors; * further from zero than these)\n");
  for (const PairedDifference& row : summary.differences) {
    absl::StrAppendFormat(&text, "  %-15s %-28s %-6s %s%s%s\n", row.set,
                          absl::StrCat(row.first, " - ", row.second),
                          row.measure, Signed(row.difference.mean),
                          Error(row.difference), row.IsClear() ? " *" : "");
  }
  return text;
}

std::string RenderSummaryHtml(const RunSummary& summary) {
  std::string results = Remark("Percent, mean ± deviation over the runs.");
  for (const SummaryTable& table : summary.tables) {
    absl::StrAppend(&results, Card(TableHtml(table)));
  }
  std::string differences;
  if (summary.seeds.size() > 1) {
    differences = absl::StrCat(
        Remark("Percentage points, run by run. Clear: further from zero than "
               "two standard errors."),
        Card(DifferencesHtml(summary)));
  }
  const PageSection sections[] = {{"Results", results},
                                  {"Paired differences", differences}};
  return HtmlPage(
      summary.title,
      absl::StrCat("<h1>", EscapeMarkup(summary.title), "</h1>\n",
                   Remark(absl::StrCat(summary.seeds.size(), " runs, seeds ",
                                       absl::StrJoin(summary.seeds, ", "),
                                       " · ", Costs(summary))),
                   Sections(sections)));
}

}  // namespace slice
