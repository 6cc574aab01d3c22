// The charts of a report page: curves, losses, score distributions, errors by
// group, context sizes, attention. A chart without points is an empty string,
// and ChartSection leaves out what is empty. Links and non-links are always two
// series of one chart.
#include "trainer/report/report_charts.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/page/markup.h"
#include "common/page/svg_chart.h"
#include "common/page/svg_heat_map.h"
#include "common/page/svg_network.h"
#include "trainer/report/page_blocks.h"

namespace slice {
namespace {

// The fewest pairs of a group whose error rate is shown. In a smaller group the
// rate says nothing.
constexpr uint64_t kLeastPairs = 20;
constexpr size_t kMostReliabilityCharts = 24;  // of one question

std::vector<ChartSeries> ToSeries(const std::vector<NamedCurve>& curves,
                                  bool dots) {
  std::vector<ChartSeries> series;
  for (const NamedCurve& curve : curves) {
    series.push_back({curve.name, curve.points, dots});
  }
  return series;
}

// The axes of a curve: of a loss, or of a measure on valid ("valid AUROC").
ChartOptions AxesOf(const std::string& curve) {
  constexpr absl::string_view kOnValid = "valid ";
  if (!absl::StartsWith(curve, kOnValid)) {
    return {absl::StrCat("Loss: ", curve), "epoch", "loss"};
  }
  return {curve, "epoch", curve.substr(kOnValid.size())};
}

// The curves with the AUROC of their methods in the names, as far as the report
// has it. So a reader can tell curves apart that lie over each other.
std::vector<NamedCurve> WithAuroc(std::vector<NamedCurve> curves,
                                  const TrainingReport& report) {
  for (const ResultTable& table : report.results) {
    if (table.key != "published") continue;
    for (const MethodResult& row : table.rows) {
      for (NamedCurve& curve : curves) {
        if (curve.name != row.method) continue;
        absl::StrAppend(&curve.name, ", AUROC ", Percent(row.metrics.auroc));
      }
    }
  }
  return curves;
}

// The reliability diagram of some probabilities; empty without any.
std::string CalibrationChart(const std::string& title,
                             const CalibrationFigures& figures) {
  ChartSeries shares = {"share of links", {}, true};
  for (const CalibrationBin& bin : figures.bins) {
    if (bin.count > 0) {
      shares.points.push_back({bin.mean_probability, bin.positive_share});
    }
  }
  std::string chart = LineChart({title, "predicted probability",
                                 "share of links", 0.0, 1.0, 0.0, 1.0, true},
                                {&shares, 1});
  if (chart.empty()) return "";
  absl::StrAppendFormat(
      &chart,
      "<p class=\"muted small\">temperature %.3f · offset %+.3f · threshold "
      "%.3f · log loss %.4f · Brier %.4f · expected error %.4f · %d test rows",
      figures.temperature, figures.offset, figures.threshold, figures.log_loss,
      figures.brier, figures.expected_error, figures.rows);
  if (figures.fitted_rows > 0) {
    absl::StrAppendFormat(&chart, " · fitted on %d", figures.fitted_rows);
  }
  return chart + "</p>";
}

std::string DistributionChart(const ScoreDistribution& distribution) {
  const SplitHistogram& histogram = distribution.histogram;
  if (histogram.positives.empty()) return "";
  const double width = (histogram.upper - histogram.lower) /
                       static_cast<double>(histogram.positives.size());
  // Shares rather than counts, so that classes of different sizes compare.
  const auto to_series = [&](const char* name,
                             const std::vector<uint64_t>& counts) {
    double all = 0;
    for (const uint64_t count : counts) all += static_cast<double>(count);
    ChartSeries series = {name, {}, false};
    for (size_t i = 0; i < counts.size(); ++i) {
      series.points.push_back(
          {histogram.lower + width * static_cast<double>(i),
           100 * static_cast<double>(counts[i]) / std::max(1.0, all)});
    }
    return series;
  };
  const ChartSeries series[] = {to_series("links", histogram.positives),
                                to_series("non-links", histogram.negatives)};
  return StepAreaChart({distribution.title, distribution.x_label,
                        "% of the class", histogram.lower, histogram.upper},
                       series, width) +
         absl::StrFormat(
             "<p class=\"muted small\">links and non-links share %.1f %% of "
             "their area</p>",
             100 * distribution.overlap);
}

std::string CountChart(const CountHistogram& counts, const std::string& title,
                       const std::string& x_label) {
  if (counts.empty()) return "";
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
  if (counts.unreachable_positives + counts.unreachable_negatives > 0) {
    labels.push_back("none");
    bars[0].push_back(static_cast<double>(counts.unreachable_positives));
    bars[1].push_back(static_cast<double>(counts.unreachable_negatives));
  }
  const std::string names[] = {"links", "non-links"};
  return GroupedBarChart({title, x_label, "pairs"}, labels, names, bars);
}

std::string ErrorChart(const GroupTable& table) {
  std::vector<std::string> labels;
  std::vector<std::vector<double>> bars(2);
  for (const GroupResult& row : table.rows) {
    if (row.published.positives + row.published.negatives < kLeastPairs) {
      continue;
    }
    labels.push_back(row.name);
    bars[0].push_back(100 * (1 - row.published.accuracy));
    bars[1].push_back(100 * (1 - row.structural.accuracy));
  }
  if (labels.empty()) return "";
  const bool with_structural =
      std::none_of(bars[1].begin(), bars[1].end(),
                   [](double error) { return std::isnan(error); });
  if (!with_structural) bars.pop_back();
  const std::string names[] = {"slice", "structural part"};
  return GroupedBarChart(
      {absl::StrCat("Error ",
                    table.key == "degree" ? "by degree" : "by distance"),
       table.key == "degree" ? "neighbours of the less connected end"
                             : "hops, the pair's own links hidden",
       "% of the pairs"},
      labels, std::span(names).first(bars.size()), bars);
}

// A link as a network, with the attention behind its score.
std::string ExampleCard(const LinkExample& example) {
  std::string html =
      absl::StrCat("<h3>", EscapeMarkup(example.title), "</h3>",
                   Remark(EscapeMarkup(example.remark)),
                   NetworkDrawing(example.title, example.network));
  absl::StrAppend(&html, "<div class=\"attention\"><div class=\"heat\">");
  for (size_t layer = 0; layer < example.layers.size(); ++layer) {
    absl::StrAppend(&html, HeatMap(absl::StrCat("Layer ", layer + 1),
                                   example.tokens, example.layers[layer]));
  }
  absl::StrAppend(&html, "</div><ol start=\"0\" class=\"tokens\">");
  for (const std::string& token : example.tokens) {
    absl::StrAppend(&html, "<li>", EscapeMarkup(token), "</li>");
  }
  return html + "</ol></div>";
}

}  // namespace

std::string CurveSection(const TrainingReport& report) {
  std::vector<std::string> charts = {
      LineChart({"ROC", "false positive rate", "true positive rate", 0.0, 1.0,
                 0.0, 1.0, true},
                ToSeries(WithAuroc(report.roc, report), false)),
      LineChart({"Precision and recall", "recall", "precision", 0.0, 1.0,
                 std::nullopt, 1.0},
                ToSeries(report.precision_recall, false))};
  for (const QuestionCalibration& calibration : report.calibrations) {
    charts.push_back(CalibrationChart(
        absl::StrCat("Calibration: ", calibration.title), calibration.figures));
  }
  return ChartGrid("", charts);
}

std::string ReliabilitySection(const TrainingReport& report) {
  std::string html;
  for (const QuestionCalibration& calibration : report.calibrations) {
    std::vector<std::string> charts;
    for (const RelationCalibration& relation : calibration.relations) {
      if (relation.figures.rows < kMeasurableRows ||
          charts.size() == kMostReliabilityCharts) {
        break;
      }
      charts.push_back(CalibrationChart(relation.relation, relation.figures));
    }
    if (charts.empty()) continue;
    absl::StrAppend(
        &html, "<h3>", EscapeMarkup(calibration.title), "</h3>\n",
        ChartGrid(absl::StrFormat(
                      "Relations with at least %d test rows, the most frequent "
                      "first. The median of their expected errors is %.4f; "
                      "%.4f would be chance. On the diagonal, of the pairs "
                      "with probability p a share p are links.",
                      kMeasurableRows, calibration.median_relation_error,
                      calibration.median_relation_chance),
                  charts));
  }
  return html;
}

std::string LossSection(const TrainingReport& report) {
  // Makes a chart per step, since the losses of steps are of different kinds. A
  // curve named "<step> without …" joins the chart of that step.
  std::vector<std::string> charts;
  for (const NamedCurve& curve : report.losses) {
    if (curve.points.size() < 2 || absl::StrContains(curve.name, " without ")) {
      continue;
    }
    std::vector<NamedCurve> together = {curve};
    for (const NamedCurve& other : report.losses) {
      if (absl::StartsWith(other.name, absl::StrCat(curve.name, " without "))) {
        together.push_back(other);
      }
    }
    charts.push_back(LineChart(AxesOf(curve.name), ToSeries(together, true)));
  }
  return ChartGrid("", charts);
}

std::string DistributionSection(const TrainingReport& report) {
  std::vector<std::string> charts;
  for (const ScoreDistribution& distribution : report.distributions) {
    charts.push_back(DistributionChart(distribution));
  }
  return ChartGrid(
      "Test pairs as published: how well each score separates links from "
      "non-links.",
      charts);
}

std::string ErrorSection(const TrainingReport& report) {
  std::vector<std::string> charts;
  for (const GroupTable& table : report.groups) {
    if (table.key == "degree" || table.key == "distance") {
      charts.push_back(ErrorChart(table));
    }
  }
  return ChartGrid("", charts);
}

std::string ContextSection(const TrainingReport& report) {
  const std::string charts[] = {
      CountChart(report.context_sizes, "Context sizes",
                 "tokens in the context"),
      CountChart(report.distances, "Distance of the ends",
                 "hops, the pair's own links hidden")};
  return ChartGrid("", charts);
}

std::string ExampleSection(const TrainingReport& report) {
  std::string cards;
  for (const LinkExample& example : report.examples) {
    absl::StrAppend(&cards, Card(ExampleCard(example)));
  }
  if (cards.empty()) return "";
  return absl::StrCat(
      Remark("Each network has the nodes between the ends that the score "
             "attends to most. Below it is the semantic association matrix of "
             "each layer, heads averaged: the row receives from the column. "
             "Token 0 is the source, 1 the target."),
      cards);
}

}  // namespace slice
