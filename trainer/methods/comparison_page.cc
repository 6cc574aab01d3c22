// A comparison as a page: a dot with an error bar per method, and the table.
#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/report_style.h"
#include "common/svg_chart.h"
#include "trainer/methods/comparison.h"
#include "trainer/methods/paper_figures.h"
#include "trainer/report_sections.h"

namespace slice {
namespace {

constexpr int kWidth = 640, kRowHeight = 24, kNames = 150, kRight = 70;
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
    const double auroc = 100 * row.cells[set].auroc.mean;
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
        "stroke=\"currentColor\" opacity=\"0.5\"><title>paper (leaky): "
        "%.2f</title></circle>",
        axis.X(paper->auroc), y, paper->auroc);
  }
  if (std::isnan(cell.auroc.mean)) return svg + "\n";
  const double mean = 100 * cell.auroc.mean;
  const double spread =
      std::isnan(cell.auroc.deviation) ? 0 : 100 * cell.auroc.deviation;
  absl::StrAppendFormat(
      &svg,
      "<line class=\"line%d\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" "
      "stroke-width=\"2\"/><circle class=\"fill%d dot\" cx=\"%.1f\" cy=\"%d\" "
      "r=\"4\"><title>%s: %.2f ± %.2f</title></circle>"
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
      "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" "
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

std::string TableCell(const MeanDeviation& value) {
  if (std::isnan(value.mean)) return "<td>-</td>";
  std::string text = Percent(value.mean);
  if (!std::isnan(value.deviation)) {
    absl::StrAppendFormat(&text, " ± %.2f", 100 * value.deviation);
  }
  return absl::StrCat("<td>", text, "</td>");
}

std::string TableRow(const ComparisonRow& row, const std::string& set,
                     const ComparisonCell& cell) {
  std::string html = absl::StrCat(row.is_ours ? "<tr class=\"ours\">" : "<tr>",
                                  "<td>", EscapeMarkup(row.title), "</td>");
  if (!cell.error.empty()) {
    return absl::StrCat(html, "<td colspan=\"10\">", EscapeMarkup(cell.error),
                        "</td></tr>\n");
  }
  for (const MeanDeviation* value :
       {&cell.auroc, &cell.average_precision, &cell.f1, &cell.typed_auroc,
        &cell.degree_matched_auroc}) {
    html += TableCell(*value);
  }
  absl::StrAppend(&html, "<td>", Fraction(cell.mrr.mean), "</td><td>",
                  Fraction(cell.hits_10.mean), "</td>");
  absl::StrAppendFormat(&html, "<td>%.2f</td><td>%.0f</td><td>%d%s</td>",
                        cell.seconds.mean / 60, cell.peak_mib.mean, cell.seeds,
                        cell.fewer_seeds ? "*" : "");
  const auto paper = FindPaperFigures(row.method, set);
  return absl::StrCat(
      html, "<td class=\"muted\">",
      paper ? absl::StrFormat("%.2f / %.2f", paper->auroc, paper->f1) : "-",
      "</td></tr>\n");
}

std::string SetSection(const Comparison& comparison, size_t set) {
  const std::string& name = comparison.sets[set];
  std::string table =
      "<table><tr><th>method</th><th>AUROC</th><th>AUPR</th><th>F1</th>"
      "<th>typed</th><th>degree</th><th>MRR</th><th>Hits@10</th>"
      "<th>minutes</th><th>MiB</th><th>seeds</th><th>paper (leaky)</th></tr>\n";
  for (const ComparisonRow& row : comparison.rows) {
    table += TableRow(row, name, row.cells[set]);
  }
  return absl::StrCat("<h2>", EscapeMarkup(name), "</h2>\n",
                      Card(Chart(comparison, set)), Card(table + "</table>\n"));
}

}  // namespace

std::string ComparisonHtml(const Comparison& comparison) {
  std::string html = absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>slice: comparison</title>\n<style>\n",
      std::string(ReportStyleSheet()),
      "</style>\n</head>\n<body>\n<h1>Link prediction, method by "
      "method</h1>\n<p class=\"muted\">Dots: mean AUROC on the published "
      "negatives of the test file, bars: deviation over the seeds, rings: what "
      "the paper printed, which rests on test links that leaked into training. "
      "*: one seed, for a run takes long.</p>\n<ul>\n");
  for (const std::string& fact : comparison.facts) {
    absl::StrAppend(&html, "<li>", EscapeMarkup(fact), "</li>\n");
  }
  html += "</ul>\n";
  for (size_t set = 0; set < comparison.sets.size(); ++set) {
    html += SetSection(comparison, set);
  }
  return html + "</body>\n</html>\n";
}

}  // namespace slice
