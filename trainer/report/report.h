// What a training run or an evaluation measured, as one self-contained HTML
// page and as JSON (docs/evaluation.md).
#ifndef SLICE_TRAINER_REPORT_REPORT_H_
#define SLICE_TRAINER_REPORT_REPORT_H_

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/metrics.h"
#include "trainer/report/report_parts.h"

namespace slice {

// Everything shown; an empty part is left out of the page.
struct TrainingReport {
  std::string title;    // "slice on amazon"
  std::string created;  // RFC 3339
  std::string bundle_id;
  uint64_t seed = 0;
  std::vector<NamedValue> facts;   // nodes, links, …
  std::vector<NamedValue> labels;  // what was said of the run: a commit, …
  std::vector<std::string> notes;  // remarks a reader must know

  // One table per set of negatives; the model's own row comes first.
  std::vector<ResultTable> results;
  std::vector<RankingTable> rankings;
  std::vector<NamedCurve> roc, precision_recall;
  std::vector<QuestionCalibration> calibrations;

  // Static against contextual: of one set of links, scorer by scorer.
  std::vector<ScoreDistribution> distributions;
  CountHistogram context_sizes, distances;
  std::vector<GroupTable> groups;  // "relation" among them
  std::vector<MetapathTable> metapaths;
  FidelityResult fidelity;
  std::vector<AttentionExample> attention;

  PretrainingEffect pretraining;
  std::vector<NamedCurve> losses;  // x: epoch or step, y: loss
  std::vector<StepTime> steps;

  // The model's figures on the test links as published; zeros when there is no
  // such table.
  BinaryMetrics Overall() const;
};

// One HTML page without any external resource; follows the reader's light or
// dark setting and fits a phone.
std::string RenderReportHtml(const TrainingReport& report);

// The figures a person wants on the terminal.
std::string ReportText(const TrainingReport& report);

// The same data, and shortcuts for scripts: `overall.auroc`, `typed.auroc`,
// `scorers.structural.published.f1`, … (docs/evaluation.md).
nlohmann::json ReportToJson(const TrainingReport& report);
// The same as indented text that ends in a line break.
std::string ReportJsonText(const TrainingReport& report);

// What ReportToJson wrote. DATA_LOSS when it is something else.
absl::StatusOr<TrainingReport> ReportFromJson(std::string_view text);

// Counts `values` (labels parallel) in `bins` equal bins over their range, or
// over [0, 1] when all lie in it.
SplitHistogram MakeSplitHistogram(std::span<const float> values,
                                  std::span<const uint8_t> labels,
                                  int bins = 40);

// The area that the two distributions share, of 1: 0 when apart, 1 when equal.
double Overlap(const SplitHistogram& histogram);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_H_
