#include "trainer/report.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/progress.h"
#include "trainer/report_style.h"
#include "trainer/svg_chart.h"

namespace slice {
namespace {

// "98.07", or a dash for a measure that does not exist.
std::string Percent(double value) {
  return std::isnan(value) ? "–" : absl::StrFormat("%.2f", 100 * value);
}

std::string Fraction(double value) {
  return std::isnan(value) ? "–" : absl::StrFormat("%.3f", value);
}

// A table cell with a bar that is full at 1 and empty at `zero`.
std::string BarCell(double value, double zero) {
  const double part =
      std::isnan(value) ? 0 : std::clamp((value - zero) / (1 - zero), 0.0, 1.0);
  return absl::StrFormat(
      "<td class=\"bar\"><span class=\"track\"><i style=\"width:%.1f%%\"></i>"
      "</span></td>",
      100 * part);
}

std::string Tile(const std::string& value, const std::string& label) {
  return absl::StrCat("<div class=\"tile\"><b>", value, "</b><span>", label,
                      "</span></div>\n");
}

std::string Card(const std::string& content) {
  return content.empty()
             ? ""
             : absl::StrCat("<div class=\"card\">", content, "</div>\n");
}

// A heading over a grid of cards; nothing when all are empty.
std::string ChartSection(const std::string& heading,
                         std::span<const std::string> charts) {
  std::string cards;
  for (const std::string& chart : charts) absl::StrAppend(&cards, Card(chart));
  if (cards.empty()) return "";
  return absl::StrCat("<h2>", heading, "</h2>\n<div class=\"charts\">\n", cards,
                      "</div>\n");
}

std::string TableHead(const std::string& title, const std::string& note) {
  std::string head;
  if (!title.empty()) {
    absl::StrAppend(&head, "<h3>", EscapeMarkup(title), "</h3>");
  }
  if (!note.empty()) {
    absl::StrAppend(&head, "<p class=\"muted small\">", EscapeMarkup(note),
                    "</p>");
  }
  return head + "<table>";
}

void AppendBinaryCells(std::string& html, const BinaryMetrics& metrics) {
  absl::StrAppend(&html, "<td>", Percent(metrics.auroc), "</td>",
                  BarCell(metrics.auroc, 0.5), "<td>",
                  Percent(metrics.average_precision), "</td><td>",
                  Percent(metrics.f1), "</td><td>");
  absl::StrAppend(&html, Percent(metrics.accuracy), "</td>");
}

constexpr char kBinaryHeads[] =
    "<th>AUROC</th><th></th><th>AUPR</th><th>F1</th><th>accuracy</th>";

std::string Header(const TrainingReport& report) {
  std::string html = absl::StrCat("<h1>", EscapeMarkup(report.title),
                                  "</h1>\n<p class=", "\"muted small\">",
                                  EscapeMarkup(report.created));
  if (!report.bundle_id.empty()) {
    absl::StrAppend(&html, " · bundle ", EscapeMarkup(report.bundle_id));
  }
  absl::StrAppend(&html, " · seed ", report.seed, "</p>\n");
  if (!report.facts.empty()) {
    absl::StrAppend(&html, "<dl class=\"facts\">");
    for (const auto& [name, value] : report.facts) {
      absl::StrAppend(&html, "<div><dt>", EscapeMarkup(name), "</dt><dd>",
                      EscapeMarkup(value), "</dd></div>");
    }
    absl::StrAppend(&html, "</dl>\n");
  }
  const BinaryMetrics& overall = report.overall;
  if (overall.positives + overall.negatives > 0) {
    absl::StrAppend(&html, "<div class=\"tiles\">\n",
                    Tile(Percent(overall.auroc), "test AUROC, %"),
                    Tile(Percent(overall.average_precision), "AUPR, %"),
                    Tile(Percent(overall.f1), "F1 of links, %"),
                    Tile(Percent(overall.accuracy), "accuracy, %"));
    absl::StrAppend(&html,
                    Tile(FormatThousands(overall.positives + overall.negatives),
                         "test pairs"),
                    "</div>\n");
  }
  if (!report.notes.empty()) {
    absl::StrAppend(&html, "<div class=\"notes\"><ul>");
    for (const std::string& note : report.notes) {
      absl::StrAppend(&html, "<li>", EscapeMarkup(note), "</li>");
    }
    absl::StrAppend(&html, "</ul></div>\n");
  }
  return html;
}

std::string Results(const TrainingReport& report) {
  if (report.results.empty()) return "";
  std::string html =
      "<h2>Results</h2>\n<p class=\"muted small\">Percent, test links; F1 and "
      "accuracy at the threshold chosen on valid. AUROC bars begin at 50, "
      "which "
      "is chance.</p>\n";
  for (const ResultTable& table : report.results) {
    std::string rows =
        absl::StrCat(TableHead(table.title, table.note), "<tr><th>method</th>",
                     kBinaryHeads, "</tr>");
    for (const MethodResult& row : table.rows) {
      absl::StrAppend(&rows, row.is_model ? "<tr class=\"ours\">" : "<tr>",
                      "<td>", EscapeMarkup(row.method), "</td>");
      AppendBinaryCells(rows, row.metrics);
      absl::StrAppend(&rows, "</tr>");
    }
    absl::StrAppend(&html, Card(rows + "</table>"));
  }
  return html;
}

std::string Rankings(const TrainingReport& report) {
  if (report.rankings.empty()) return "";
  std::string html = "<h2>Ranking</h2>\n";
  for (const RankingTable& table : report.rankings) {
    std::string rows = absl::StrCat(
        TableHead(table.title, table.note),
        "<tr><th>method</th><th>MRR</th><th></th><th>Hits@1</th><th>Hits@3</th>"
        "<th>Hits@10</th><th>mean rank</th><th>targets</th></tr>");
    for (const RankingRow& row : table.rows) {
      const double mrr = row.metrics.MeanReciprocalRank();
      absl::StrAppend(&rows, row.is_model ? "<tr class=\"ours\">" : "<tr>",
                      "<td>", EscapeMarkup(row.method), "</td><td>",
                      Fraction(mrr), "</td>", BarCell(mrr, 0));
      for (const int k : {1, 3, 10}) {
        absl::StrAppend(&rows, "<td>", Percent(row.metrics.HitsAt(k)), "</td>");
      }
      absl::StrAppend(
          &rows, "<td>",
          std::isnan(mrr) ? "–"
                          : absl::StrFormat("%.1f", row.metrics.MeanRank()),
          "</td><td>", FormatThousands(row.metrics.count()), "</td></tr>");
    }
    absl::StrAppend(&html, Card(rows + "</table>"));
  }
  return html;
}

std::string Relations(const TrainingReport& report) {
  if (report.relations.empty()) return "";
  std::string rows = absl::StrCat("<table><tr><th>relation</th>", kBinaryHeads,
                                  "<th>links</th><th>non-links</th></tr>");
  for (const RelationResult& row : report.relations) {
    absl::StrAppend(&rows, "<tr class=\"ours\"><td>",
                    EscapeMarkup(row.relation), "</td>");
    AppendBinaryCells(rows, row.metrics);
    absl::StrAppend(&rows, "<td>", FormatThousands(row.metrics.positives),
                    "</td><td>", FormatThousands(row.metrics.negatives),
                    "</td></tr>");
  }
  return absl::StrCat("<h2>Per relation</h2>\n", Card(rows + "</table>"));
}

std::vector<ChartSeries> ToSeries(const std::vector<NamedCurve>& curves,
                                  bool dots) {
  std::vector<ChartSeries> series;
  for (const NamedCurve& curve : curves) {
    series.push_back({curve.name, curve.points, dots});
  }
  return series;
}

std::string CalibrationChart(const TrainingReport& report) {
  ChartSeries shares = {"share of links", {}, true};
  for (const CalibrationBin& bin : report.calibration) {
    if (bin.count > 0) {
      shares.points.push_back({bin.mean_probability, bin.positive_share});
    }
  }
  std::string chart = LineChart({"Calibration", "predicted probability",
                                 "share of links", 0.0, 1.0, 0.0, 1.0, true},
                                {&shares, 1});
  if (chart.empty()) return "";
  return chart + absl::StrFormat(
                     "<p class=\"muted small\">temperature %.3f · "
                     "log loss %.4f · Brier %.4f · expected error "
                     "%.4f</p>",
                     report.temperature, report.log_loss, report.brier,
                     report.calibration_error);
}

std::string ScoreChart(const std::optional<SplitHistogram>& histogram,
                       const std::string& title) {
  if (!histogram.has_value() || histogram->positives.empty()) return "";
  const double width = (histogram->upper - histogram->lower) /
                       static_cast<double>(histogram->positives.size());
  // Shares, so that classes of different sizes compare.
  const auto to_series = [&](const char* name,
                             const std::vector<uint64_t>& counts) {
    double all = 0;
    for (const uint64_t count : counts) all += static_cast<double>(count);
    ChartSeries series = {name, {}, false};
    for (size_t i = 0; i < counts.size(); ++i) {
      series.points.push_back(
          {histogram->lower + width * static_cast<double>(i),
           100 * static_cast<double>(counts[i]) / std::max(1.0, all)});
    }
    return series;
  };
  const ChartSeries series[] = {to_series("links", histogram->positives),
                                to_series("non-links", histogram->negatives)};
  return StepAreaChart({title, "score", "% of the class"}, series, width);
}

std::string CountChart(const std::optional<CountHistogram>& histogram,
                       const std::string& title, const std::string& x_label) {
  if (!histogram.has_value()) return "";
  const CountHistogram& counts = *histogram;
  const bool any_unreachable =
      counts.unreachable_positives + counts.unreachable_negatives > 0;
  const size_t values =
      std::max(counts.positives.size(), counts.negatives.size());
  std::vector<std::string> labels;
  std::vector<std::vector<double>> bars(2);
  const auto at = [](const std::vector<uint64_t>& all, size_t i) {
    return i < all.size() ? static_cast<double>(all[i]) : 0.0;
  };
  for (size_t i = 0; i < values; ++i) {
    const double positives = at(counts.positives, i);
    const double negatives = at(counts.negatives, i);
    if (labels.empty() && positives + negatives == 0) continue;
    labels.push_back(absl::StrCat(i));
    bars[0].push_back(positives);
    bars[1].push_back(negatives);
  }
  if (any_unreachable) {
    labels.push_back("none");
    bars[0].push_back(static_cast<double>(counts.unreachable_positives));
    bars[1].push_back(static_cast<double>(counts.unreachable_negatives));
  }
  const std::string names[] = {"links", "non-links"};
  return GroupedBarChart({title, x_label, "pairs"}, labels, names, bars);
}

std::string Steps(const TrainingReport& report) {
  if (report.steps.empty()) return "";
  double longest = 0, total = 0;
  for (const StepTime& step : report.steps) {
    longest = std::max(longest, step.seconds);
    total += step.seconds;
  }
  std::string rows = "<table><tr><th>step</th><th>time</th><th></th></tr>";
  for (const StepTime& step : report.steps) {
    absl::StrAppend(&rows, "<tr><td>", EscapeMarkup(step.step), "</td><td>",
                    FormatSeconds(step.seconds), "</td>",
                    BarCell(longest > 0 ? step.seconds / longest : 0, 0),
                    "</tr>");
  }
  absl::StrAppend(&rows, "<tr class=\"ours\"><td>all</td><td>",
                  FormatSeconds(total), "</td><td></td></tr></table>");
  return absl::StrCat("<h2>Time</h2>\n", Card(rows));
}

std::string Pretraining(const TrainingReport& report) {
  if (!report.pretraining.has_value()) return "";
  std::string rows =
      "<table><tr><th>pre-training</th><th>test AUROC</th><th></th></tr>";
  const auto add = [&](const char* name, double auroc, const char* style) {
    absl::StrAppend(&rows, "<tr", style, "><td>", name, "</td><td>",
                    Percent(auroc), "</td>", BarCell(auroc, 0.5), "</tr>");
  };
  add("with", report.pretraining->auroc_with, " class=\"ours\"");
  add("without", report.pretraining->auroc_without, "");
  return absl::StrCat("<h2>Pre-training</h2>\n", Card(rows + "</table>"));
}

}  // namespace

std::string RenderReportHtml(const TrainingReport& report) {
  const std::string curves[] = {
      LineChart({"ROC", "false positive rate", "true positive rate", 0.0, 1.0,
                 0.0, 1.0, true},
                ToSeries(report.roc, false)),
      LineChart({"Precision and recall", "recall", "precision", 0.0, 1.0,
                 std::nullopt, 1.0},
                ToSeries(report.precision_recall, false)),
      CalibrationChart(report),
      LineChart({"Training loss", "epoch", "loss"},
                ToSeries(report.losses, true))};
  const std::string scores[] = {
      ScoreChart(report.scores, "Scores of the model"),
      ScoreChart(report.structural_scores, "Scores of its structural part")};
  const std::string contexts[] = {
      CountChart(report.context_sizes, "Context sizes", "nodes in the context"),
      CountChart(report.distances, "Distance of the ends",
                 "hops, the pair's own links hidden")};
  std::string html = absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n",
      "<title>", EscapeMarkup(report.title), "</title>\n");
  absl::StrAppend(&html, "<style>", std::string(ReportStyleSheet()),
                  "</style>\n</head>\n<body>\n");
  for (const std::string& part :
       {Header(report), Results(report), Rankings(report),
        ChartSection("Curves", curves), ChartSection("Scores", scores),
        Relations(report), ChartSection("Contexts", contexts),
        Pretraining(report), Steps(report)}) {
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

}  // namespace slice
