// What a training run measured, as one self-contained HTML page and as JSON.
#ifndef SLICE_TRAINER_REPORT_H_
#define SLICE_TRAINER_REPORT_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trainer/metrics.h"

namespace slice {

// One line of a results table: a scorer on one set of test links.
struct MethodResult {
  std::string method;  // "slice", or a baseline's name
  BinaryMetrics metrics;
  bool is_model = false;  // drawn as ours
};

// The methods on one kind of negatives.
struct ResultTable {
  std::string title;  // "Published negatives"
  std::string note;   // may be empty
  std::vector<MethodResult> rows;
};

struct NamedCurve {
  std::string name;
  std::vector<CurvePoint> points;
};

// Counts in equal bins over [lower, upper], of links and non-links apart.
struct SplitHistogram {
  double lower = 0;
  double upper = 1;
  std::vector<uint64_t> positives, negatives;  // [bins] each
};

// Counts of whole numbers, such as context sizes: counts[value].
struct CountHistogram {
  std::vector<uint64_t> positives, negatives;
  uint64_t unreachable_positives = 0;  // distances only: no path seen
  uint64_t unreachable_negatives = 0;
};

struct RankingRow {
  std::string method;
  RankingMetrics metrics;
  bool is_model = false;
};

struct RankingTable {
  std::string title;
  std::string note;
  std::vector<RankingRow> rows;
};

struct RelationResult {
  std::string relation;
  BinaryMetrics metrics;
};

// Test AUROC of the same run with and without pre-training.
struct PretrainingEffect {
  double auroc_with = 0;
  double auroc_without = 0;
};

struct StepTime {
  std::string step;
  double seconds = 0;
};

// Everything shown; an empty part is left out of the page.
struct TrainingReport {
  std::string title;    // "slice on amazon"
  std::string created;  // RFC 3339
  std::string bundle_id;
  uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> facts;  // nodes, links, …
  std::vector<std::string> notes;  // remarks a reader must know

  BinaryMetrics overall;  // the model on the test links as published
  std::vector<ResultTable> results;
  std::vector<NamedCurve> roc, precision_recall;

  double temperature = 1;
  double log_loss = 0;
  double brier = 0;
  double calibration_error = 0;
  std::vector<CalibrationBin> calibration;

  std::optional<SplitHistogram> scores;             // of the model
  std::optional<SplitHistogram> structural_scores;  // of its static part
  std::optional<CountHistogram> context_sizes, distances;
  std::vector<RelationResult> relations;
  std::optional<PretrainingEffect> pretraining;
  std::vector<NamedCurve> losses;  // x: epoch or step, y: loss
  std::vector<StepTime> steps;
  std::vector<RankingTable> rankings;
};

// One HTML page without any external resource; follows the reader's light or
// dark setting.
std::string RenderReportHtml(const TrainingReport& report);

// The same data; `overall.auroc` and `overall.f1` are where scripts look.
nlohmann::json ReportToJson(const TrainingReport& report);

// Counts `values` (labels parallel) in `bins` equal bins over their range, or
// over [0, 1] when all lie in it.
SplitHistogram MakeSplitHistogram(std::span<const float> values,
                                  std::span<const uint8_t> labels,
                                  int bins = 40);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_H_
