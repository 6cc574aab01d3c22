// The report on the terminal: result tables, rankings, the first groups of each
// grouping, histograms drawn with #, facts and labels. Numbers are percent; "-"
// stands for what was not measured.
#include "trainer/report/report_text.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace slice {
namespace {

constexpr int kBarWidth = 40;
constexpr size_t kShownRelations = 12;

std::string Number(double value) {
  return std::isnan(value) ? "-" : absl::StrFormat("%.2f", 100 * value);
}

std::string Row(const std::string& name, const BinaryMetrics& metrics) {
  return absl::StrFormat("  %-28s %7s %7s %7s %9s\n", name,
                         Number(metrics.auroc),
                         Number(metrics.average_precision), Number(metrics.f1),
                         Number(metrics.accuracy));
}

std::string Heading(const std::string& title) {
  return absl::StrFormat("%-30s %7s %7s %7s %9s\n", title, "AUROC", "AUPR",
                         "F1", "accuracy");
}

std::string HistogramLine(const std::string& label, uint64_t count,
                          uint64_t total, uint64_t largest) {
  const int width =
      largest == 0 ? 0 : static_cast<int>(kBarWidth * count / largest);
  return absl::StrFormat("  %14s %8d %5.1f %% %s\n", label, count,
                         total == 0 ? 0.0 : 100.0 * count / total,
                         std::string(width, '#'));
}

std::string HistogramText(const std::string& title,
                          const CountHistogram& histogram) {
  std::vector<uint64_t> counts(
      std::max(histogram.positives.size(), histogram.negatives.size()), 0);
  for (const auto* part : {&histogram.positives, &histogram.negatives}) {
    for (size_t i = 0; i < part->size(); ++i) counts[i] += (*part)[i];
  }
  const uint64_t unreachable =
      histogram.unreachable_positives + histogram.unreachable_negatives;
  uint64_t total = unreachable, largest = unreachable;
  for (uint64_t count : counts) {
    total += count;
    largest = std::max(largest, count);
  }
  std::string text = absl::StrCat(title, "\n");
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    absl::StrAppend(&text,
                    HistogramLine(absl::StrCat(i), counts[i], total, largest));
  }
  if (unreachable > 0) {
    absl::StrAppend(&text,
                    HistogramLine("no path seen", unreachable, total, largest));
  }
  return text;
}

std::string GroupsText(const TrainingReport& report) {
  std::string text;
  for (const GroupTable& table : report.groups) {
    const size_t shown = std::min(table.rows.size(), kShownRelations);
    if (shown == 0) continue;
    absl::StrAppend(&text, Heading(table.title));
    for (size_t i = 0; i < shown; ++i) {
      const BinaryMetrics& metrics = table.rows[i].published;
      const std::string rows =
          absl::StrCat(metrics.positives + metrics.negatives, " rows");
      absl::StrAppend(
          &text,
          Row(absl::StrFormat("%-13s%14s", table.rows[i].name, rows), metrics));
    }
    if (shown < table.rows.size()) {
      absl::StrAppend(&text, "  and ", table.rows.size() - shown,
                      " more, in the report\n");
    }
  }
  return text;
}

std::string RankingText(const RankingTable& table) {
  std::string text =
      absl::StrFormat("%-30s %7s %7s %7s %7s %7s\n", table.title, "MRR",
                      "error", "Hits@1", "Hits@3", "Hits@10");
  for (const RankingRow& row : table.rows) {
    absl::StrAppendFormat(&text, "  %-28s %7.3f %7.3f %7.3f %7.3f %7.3f\n",
                          row.method, row.figures.mrr, row.figures.mrr_error,
                          row.figures.hits_1, row.figures.hits_3,
                          row.figures.hits_10);
  }
  if (!std::isnan(table.milliseconds)) {
    absl::StrAppendFormat(&text, "  %.1f ms per question\n",
                          table.milliseconds);
  }
  return text;
}

std::string FidelityText(const FidelityResult& fidelity) {
  if (fidelity.links + fidelity.without_reason == 0) return "";
  const auto row = [](const char* name, const FidelityChange& change) {
    return absl::StrFormat("  %-28s %9.4f %9.4f\n", name, change.without,
                           change.only);
  };
  return absl::StrCat(
      absl::StrFormat("%-30s %9s %9s\n", "mean change of probability",
                      "without", "alone"),
      row("named evidence", fidelity.named),
      row("random evidence", fidelity.random),
      row("attention", fidelity.attention),
      absl::StrFormat(
          "  %d links, %.1f of %.1f items named%s\n", fidelity.links,
          fidelity.explained, fidelity.items,
          fidelity.without_reason == 0
              ? ""
              : absl::StrCat("; no reason for ", fidelity.without_reason,
                             " more links")));
}

// Calibration errors, and how often impossible links are called links.
std::string TrustText(const TrainingReport& report) {
  std::string text;
  for (const QuestionCalibration& calibration : report.calibrations) {
    absl::StrAppendFormat(
        &text,
        "calibration error, %s: %.4f; median of relations with %d rows: %s "
        "(%s by chance alone)\n",
        calibration.title, calibration.figures.expected_error, kMeasurableRows,
        std::isnan(calibration.median_relation_error)
            ? std::string("-")
            : absl::StrFormat("%.4f", calibration.median_relation_error),
        std::isnan(calibration.median_relation_chance)
            ? std::string("-")
            : absl::StrFormat("%.4f", calibration.median_relation_chance));
  }
  for (const ImpossibleLinks& set : report.impossible) {
    absl::StrAppendFormat(&text,
                          "impossible links, %s: %d of %d called links (%s %%)"
                          "\n",
                          set.title, set.called, set.pairs,
                          Number(set.CalledShare()));
  }
  return text;
}

}  // namespace

std::string ReportText(const TrainingReport& report) {
  std::string text;
  if (report.leaky) {
    text =
        "LEAKY: learned from the held-out links; these figures cannot be "
        "expected on new links\n";
  }
  for (const ResultTable& table : report.results) {
    absl::StrAppend(&text, Heading(table.title));
    for (const MethodResult& row : table.rows) {
      absl::StrAppend(&text, Row(row.method, row.metrics));
    }
  }
  for (const RankingTable& table : report.rankings) {
    absl::StrAppend(&text, RankingText(table));
  }
  absl::StrAppend(&text, TrustText(report));
  absl::StrAppend(&text, GroupsText(report));
  if (!std::isnan(report.pretraining.auroc_with)) {
    absl::StrAppendFormat(&text,
                          "context scorer: AUROC with pre-training %.2f %%, "
                          "without %.2f %%\n",
                          100 * report.pretraining.auroc_with,
                          100 * report.pretraining.auroc_without);
  }
  absl::StrAppend(&text, FidelityText(report.fidelity));
  if (!report.context_sizes.empty()) {
    absl::StrAppend(&text,
                    HistogramText("tokens of a context", report.context_sizes));
  }
  if (!report.distances.empty()) {
    absl::StrAppend(&text,
                    HistogramText("hops between the ends, their pair hidden",
                                  report.distances));
  }
  for (const auto* values : {&report.facts, &report.labels}) {
    for (const auto& [name, value] : *values) {
      if (!value.empty()) absl::StrAppend(&text, name, ": ", value, "\n");
    }
  }
  return text;
}

}  // namespace slice
