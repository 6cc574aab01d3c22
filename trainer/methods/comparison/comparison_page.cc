// The page has a section for each data set: a chart and the table of
// trainer/methods/comparison/comparison_table.h. A row of the chart is a
// method: a dot at its mean AUROC, a bar of one standard deviation to either
// side, and a ring at the figure of the paper where there is one. The last
// column of the table leads to the pages of the runs.
//
// The axis is in percent and ends at 100. It begins at the multiple of ten
// below the lowest figure of the data set. All names are escaped.
#include "trainer/methods/comparison/comparison_page.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/page/html_page.h"
#include "common/page/markup.h"
#include "trainer/methods/comparison/comparison_table.h"
#include "trainer/methods/comparison/paper_figures.h"
#include "trainer/report/page_blocks.h"

namespace slice {
namespace {

constexpr int kWidth = 980, kRowHeight = 24, kNames = 170, kRight = 70;
constexpr int kTop = 8, kBottom = 34;

// The axis of a chart: percent from `low` to 100.
struct Axis {
  double low;

  double X(double percent) const {
    const double share = (std::max(percent, low) - low) / (100 - low);
    return kNames + share * (kWidth - kNames - kRight);
  }
};

double LowestOf(const Comparison& comparison, size_t set) {
  double lowest = 100;
  for (const ComparisonRow& row : comparison.rows) {
    const double auroc = 100 * row.cells[set].Over(&RunFigures::auroc).mean;
    if (!std::isnan(auroc)) lowest = std::min(lowest, auroc);
    const auto paper = FindPaperFigures(row.method, comparison.sets[set]);
    if (paper) lowest = std::min(lowest, paper->auroc);
  }
  return std::clamp(std::floor(lowest / 10) * 10, 0.0, 90.0);
}

std::string GridLines(const Axis& axis, int height) {
  std::string svg;
  const int bottom = height - kBottom;
  for (double mark = axis.low; mark <= 100; mark += 10) {
    const double x = axis.X(mark);
    absl::StrAppendFormat(
        &svg,
        "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
        "<text class=\"mark\" x=\"%.1f\" y=\"%d\" "
        "text-anchor=\"middle\">%.0f</text>\n",
        x, x, kTop, bottom, x, bottom + 14, mark);
  }
  return svg;
}

std::string RowMarks(const ComparisonRow& row, const std::string& set,
                     const ComparisonCell& cell, const Axis& axis, int y) {
  std::string svg = absl::StrFormat(
      "<text class=\"mark\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
      kNames - 10, y + 4, EscapeMarkup(row.title));
  if (const auto paper = FindPaperFigures(row.method, set)) {
    absl::StrAppendFormat(
        &svg,
        "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"none\" "
        "stroke=\"currentColor\" opacity=\"0.5\"><title>printed in the paper: "
        "%.2f</title></circle>",
        axis.X(paper->auroc), y, paper->auroc);
  }
  const MeanDeviation auroc = cell.Over(&RunFigures::auroc);
  if (std::isnan(auroc.mean)) return svg + "\n";
  const double mean = 100 * auroc.mean;
  const double spread = std::isnan(auroc.deviation) ? 0 : 100 * auroc.deviation;
  absl::StrAppendFormat(
      &svg,
      "<line class=\"line%d\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" "
      "stroke-width=\"8\" stroke-opacity=\"0.4\"/><circle class=\"fill%d\" "
      "cx=\"%.1f\" cy=\"%d\" r=\"4\"><title>%s: %.2f ± %.2f</title></circle>"
      "<text class=\"mark\" x=\"%d\" y=\"%d\">%.2f</text>\n",
      row.is_ours ? 0 : 1, axis.X(mean - spread),
      axis.X(std::min(100.0, mean + spread)), y, y, row.is_ours ? 0 : 1,
      axis.X(mean), y, EscapeMarkup(row.title), mean, spread,
      kWidth - kRight + 14, y + 4, mean);
  return svg;
}

std::string Chart(const Comparison& comparison, size_t set) {
  const int rows = static_cast<int>(comparison.rows.size());
  const int height = kTop + rows * kRowHeight + kBottom;
  const Axis axis{LowestOf(comparison, set)};
  std::string svg = absl::StrFormat(
      "<svg class=\"chart broad\" viewBox=\"0 0 %d %d\" role=\"img\" "
      "aria-label=\"AUROC on %s\">\n",
      kWidth, height, EscapeMarkup(comparison.sets[set]));
  svg += GridLines(axis, height);
  for (int i = 0; i < rows; ++i) {
    const auto at = static_cast<size_t>(i);
    svg += RowMarks(comparison.rows[at], comparison.sets[set],
                    comparison.rows[at].cells[set], axis,
                    kTop + i * kRowHeight + kRowHeight / 2);
  }
  absl::StrAppendFormat(
      &svg,
      "<text class=\"label\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">AUROC, "
      "%%</text>\n</svg>\n",
      (kNames + kWidth - kRight) / 2, height - 4);
  return svg;
}

// The chart with a line that says what it shows.
std::string Figure(const Comparison& comparison, size_t set) {
  const std::string& name = comparison.sets[set];
  const bool with_paper =
      std::any_of(comparison.rows.begin(), comparison.rows.end(),
                  [&](const ComparisonRow& row) {
                    return FindPaperFigures(row.method, name).has_value();
                  });
  return absl::StrCat(
      "<figure><figcaption>AUROC on ", EscapeMarkup(name),
      ", test links against the non-links of the file. Dot: mean; bar: "
      "deviation over the seeds",
      with_paper ? "; ring: what the paper printed" : "", ".</figcaption>",
      ScrollRegion("Chart", Chart(comparison, set)), "</figure>");
}

// Links to the pages of the runs that lie beside this page.
std::string RunLinks(const ComparisonCell& cell) {
  std::string links;
  for (const RunFigures& run : cell.runs) {
    if (run.page.empty()) continue;
    absl::StrAppend(&links, links.empty() ? "" : " ", "<a href=\"",
                    EscapeMarkup(run.page), "\">seed ", run.seed, "</a>");
  }
  return links;
}

std::string TableRow(const ComparisonTableRow& row, size_t columns,
                     const ComparisonCell& cell) {
  std::string html = row.is_ours ? "<tr class=\"ours\">" : "<tr>";
  for (const std::string& value : row.values) {
    absl::StrAppend(&html, "<td>", EscapeMarkup(value), "</td>");
  }
  if (!row.error.empty()) {
    absl::StrAppend(&html, "<td class=\"error\" colspan=\"", columns - 1,
                    "\">failed: ", EscapeMarkup(row.error), "</td>");
  }
  return absl::StrCat(html, "<td>", RunLinks(cell), "</td></tr>\n");
}

std::string SetSection(const Comparison& comparison, size_t set) {
  const ComparisonTable table = TableOf(comparison, set);
  std::string html = "<tr>";
  for (const std::string& column : table.columns) {
    absl::StrAppend(&html, "<th>", EscapeMarkup(column), "</th>");
  }
  html += "<th>runs</th></tr>\n";
  for (size_t i = 0; i < table.rows.size(); ++i) {
    html += TableRow(table.rows[i], table.columns.size(),
                     comparison.rows[i].cells[set]);
  }
  const bool measured = std::any_of(
      comparison.rows.begin(), comparison.rows.end(),
      [set](const ComparisonRow& row) { return !row.cells[set].runs.empty(); });
  return absl::StrCat(measured ? Card(Figure(comparison, set)) : "",
                      Card(WideTable(comparison.sets[set], html, "dense")));
}

std::string List(const std::vector<std::string>& lines) {
  std::string html = "<ul>\n";
  for (const std::string& line : lines) {
    absl::StrAppend(&html, "<li>", EscapeMarkup(line), "</li>\n");
  }
  return html + "</ul>\n";
}

}  // namespace

std::string ComparisonHtml(const Comparison& comparison) {
  std::vector<PageSection> sections;
  for (size_t set = 0; set < comparison.sets.size(); ++set) {
    sections.push_back({comparison.sets[set], SetSection(comparison, set)});
  }
  const std::vector<std::string> parameters = ParameterLines(comparison);
  sections.push_back(
      {"Parameters", parameters.empty() ? "" : List(parameters)});
  return HtmlPage("slice: comparison",
                  absl::StrCat("<h1>Link prediction, method by method</h1>\n",
                               Remark(EscapeMarkup(ComparisonLegend())),
                               List(comparison.facts), Sections(sections)));
}

}  // namespace slice
