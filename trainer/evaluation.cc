#include "trainer/evaluation.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "trainer/baselines.h"

namespace slice {
namespace {

constexpr int kBarWidth = 40;
constexpr size_t kShownDistances = 8;

std::vector<float> ToFloats(const std::vector<Prediction>& predictions,
                            float Prediction::*field) {
  std::vector<float> values;
  values.reserve(predictions.size());
  for (const Prediction& prediction : predictions) {
    values.push_back(prediction.*field);
  }
  return values;
}

void Count(std::vector<uint64_t>& counts, size_t value) {
  if (counts.size() <= value) counts.resize(value + 1, 0);
  ++counts[value];
}

CountHistogram ContextSizes(const ScoredSplit& test) {
  CountHistogram histogram;
  for (size_t i = 0; i < test.links.size(); ++i) {
    Count(test.labels[i] ? histogram.positives : histogram.negatives,
          test.scored.context_nodes[i]);
  }
  return histogram;
}

CountHistogram Distances(const ScoredSplit& test) {
  CountHistogram histogram;
  for (size_t i = 0; i < test.links.size(); ++i) {
    const int distance = test.scored.distances[i];
    if (distance < 0) {
      ++(test.labels[i] ? histogram.unreachable_positives
                        : histogram.unreachable_negatives);
    } else {
      Count(test.labels[i] ? histogram.positives : histogram.negatives,
            distance);
    }
  }
  return histogram;
}

// The median context size over links between which a path was seen.
double MedianConnectedSize(const ScoredSplit& test) {
  std::vector<uint16_t> sizes;
  for (size_t i = 0; i < test.links.size(); ++i) {
    if (test.scored.distances[i] >= 0) {
      sizes.push_back(test.scored.context_nodes[i]);
    }
  }
  if (sizes.empty()) return 0;
  std::nth_element(sizes.begin(), sizes.begin() + sizes.size() / 2,
                   sizes.end());
  return sizes[sizes.size() / 2];
}

std::vector<RelationResult> PerRelation(const ScoredSplit& test,
                                        std::span<const float> probabilities,
                                        double threshold,
                                        const GraphSnapshot& snapshot) {
  const size_t relations = snapshot.relation_count();
  std::vector<std::vector<float>> scores(relations);
  std::vector<std::vector<uint8_t>> labels(relations);
  for (size_t i = 0; i < test.links.size(); ++i) {
    scores[test.links[i].relation].push_back(probabilities[i]);
    labels[test.links[i].relation].push_back(test.labels[i]);
  }
  std::vector<RelationResult> results;
  for (size_t r = 0; r < relations; ++r) {
    if (scores[r].empty()) continue;
    results.push_back({snapshot.RelationName(static_cast<RelationId>(r)),
                       EvaluateBinary(scores[r], labels[r], threshold)});
  }
  std::stable_sort(results.begin(), results.end(),
                   [](const RelationResult& a, const RelationResult& b) {
                     return a.metrics.positives > b.metrics.positives;
                   });
  return results;
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
                          const CountHistogram& histogram, size_t most) {
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
  for (size_t i = 0; i < std::min(counts.size(), most); ++i) {
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

std::string MetricsRow(const std::string& name, const BinaryMetrics& metrics) {
  return absl::StrFormat("  %-28s %7.2f %7.2f %7.2f %9.2f\n", name,
                         100 * metrics.auroc, 100 * metrics.average_precision,
                         100 * metrics.f1, 100 * metrics.accuracy);
}

}  // namespace

absl::StatusOr<ScoredSplit> ScoreSplit(const ScoringModel& model,
                                       std::span<const LabelledLink> labelled,
                                       int threads, const std::string& title) {
  ScoredSplit split;
  for (const LabelledLink& example : labelled) {
    split.links.push_back(example.link);
    split.labels.push_back(example.positive ? 1 : 0);
  }
  SLICE_ASSIGN_OR_RETURN(split.scored,
                         ScoreManyLinks(model, split.links, threads, title));
  split.logits = ToFloats(split.scored.predictions, &Prediction::logit);
  split.structural_logits =
      ToFloats(split.scored.predictions, &Prediction::logit_structural);
  return split;
}

Calibration Calibrate(std::span<const float> logits,
                      std::span<const uint8_t> labels) {
  Calibration calibration;
  calibration.temperature = FitTemperature(logits, labels);
  calibration.threshold = BestF1Threshold(
      CalibratedProbabilities(logits, calibration.temperature), labels);
  return calibration;
}

void ReportTest(const ScoredSplit& test, const Calibration& calibration,
                const GraphSnapshot& snapshot, TrainingReport& report) {
  const std::vector<float> probabilities =
      CalibratedProbabilities(test.logits, calibration.temperature);
  report.overall =
      EvaluateBinary(probabilities, test.labels, calibration.threshold);
  report.relations =
      PerRelation(test, probabilities, calibration.threshold, snapshot);
  report.roc = {
      {"slice", RocCurve(probabilities, test.labels)},
      {"structural part", RocCurve(test.structural_logits, test.labels)}};
  report.precision_recall = {
      {"slice", PrecisionRecallCurve(probabilities, test.labels)},
      {"structural part",
       PrecisionRecallCurve(test.structural_logits, test.labels)}};
  report.temperature = calibration.temperature;
  report.log_loss = LogLoss(probabilities, test.labels);
  report.brier = BrierScore(probabilities, test.labels);
  report.calibration = CalibrationBins(probabilities, test.labels);
  report.calibration_error = ExpectedCalibrationError(report.calibration);
  report.scores = MakeSplitHistogram(probabilities, test.labels);
  report.structural_scores = MakeSplitHistogram(
      CalibratedProbabilities(test.structural_logits, calibration.temperature),
      test.labels);
  report.context_sizes = ContextSizes(test);
  report.distances = Distances(test);
  report.facts.emplace_back("median context nodes where a path exists",
                            absl::StrFormat("%.0f", MedianConnectedSize(test)));
}

absl::StatusOr<std::vector<MethodResult>> EvaluateBaselines(
    const GraphSnapshot& snapshot, std::span<const LabelledLink> valid,
    const ScoredSplit& test, std::span<const float> embeddings, int dim,
    int threads) {
  std::vector<Link> valid_links;
  std::vector<uint8_t> valid_labels;
  for (const LabelledLink& example : valid) {
    valid_links.push_back(example.link);
    valid_labels.push_back(example.positive ? 1 : 0);
  }
  std::vector<Baseline> baselines = {
      Baseline::kPopularity, Baseline::kCommonNeighbors, Baseline::kAdamicAdar,
      Baseline::kThreePaths};
  if (!embeddings.empty()) baselines.push_back(Baseline::kNode2vec);
  std::vector<MethodResult> rows;
  for (Baseline baseline : baselines) {
    SLICE_ASSIGN_OR_RETURN(
        const auto scorer,
        BaselineScorer::Create(baseline, snapshot, embeddings, dim));
    const double threshold = BestF1Threshold(
        ScoreLinks(*scorer, valid_links, threads), valid_labels);
    rows.push_back({std::string(BaselineName(baseline)),
                    EvaluateBinary(ScoreLinks(*scorer, test.links, threads),
                                   test.labels, threshold)});
  }
  return rows;
}

std::string ReportText(const TrainingReport& report) {
  std::string text = absl::StrFormat("%-30s %7s %7s %7s %9s\n", "test, in %",
                                     "AUROC", "AUPR", "F1", "accuracy");
  for (const ResultTable& table : report.results) {
    for (const MethodResult& row : table.rows) {
      absl::StrAppend(&text, MetricsRow(row.method, row.metrics));
    }
  }
  absl::StrAppend(&text, "by relation\n");
  const size_t shown = std::min<size_t>(report.relations.size(), 12);
  for (size_t i = 0; i < shown; ++i) {
    absl::StrAppend(&text, MetricsRow(report.relations[i].relation,
                                      report.relations[i].metrics));
  }
  if (shown < report.relations.size()) {
    absl::StrAppend(&text, "  and ", report.relations.size() - shown,
                    " relations more, in the report\n");
  }
  if (report.pretraining) {
    absl::StrAppend(
        &text,
        absl::StrFormat("AUROC with pre-training %.2f %%, without %.2f %%\n",
                        100 * report.pretraining->auroc_with,
                        100 * report.pretraining->auroc_without));
  }
  if (report.context_sizes) {
    absl::StrAppend(
        &text, HistogramText("nodes of a context", *report.context_sizes, 65));
  }
  if (report.distances) {
    absl::StrAppend(&text,
                    HistogramText("hops between the ends, their pair hidden",
                                  *report.distances, kShownDistances));
  }
  for (const auto& [name, value] : report.facts) {
    absl::StrAppend(&text, name, ": ", value, "\n");
  }
  return text;
}

}  // namespace slice
