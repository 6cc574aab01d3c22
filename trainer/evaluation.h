// What a trained model is measured by: labelled links scored the way the
// server scores them, calibrated on valid, reported on test.
#ifndef SLICE_TRAINER_EVALUATION_H_
#define SLICE_TRAINER_EVALUATION_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/edge_list_importer.h"
#include "trainer/link_scoring.h"
#include "trainer/report.h"

namespace slice {

// A labelled split with its scores, all parallel.
struct ScoredSplit {
  std::vector<Link> links;
  std::vector<uint8_t> labels;
  ScoredLinks scored;
  std::vector<float> logits, structural_logits;
};

absl::StatusOr<ScoredSplit> ScoreSplit(const ScoringModel& model,
                                       std::span<const LabelledLink> labelled,
                                       int threads, const std::string& title);

// Temperature of least log loss, and the probability with the best F1 of the
// positives.
Calibration Calibrate(std::span<const float> logits,
                      std::span<const uint8_t> labels);

// Fills the parts of a report that are about the test links: overall and per
// relation metrics, curves, calibration and histograms.
void ReportTest(const ScoredSplit& test, const Calibration& calibration,
                const GraphSnapshot& snapshot, TrainingReport& report);

// Rows for the baselines on the same links, each with its best threshold on
// `valid`. `embeddings` [nodes, dim] add the node2vec row when not empty.
absl::StatusOr<std::vector<MethodResult>> EvaluateBaselines(
    const GraphSnapshot& snapshot, std::span<const LabelledLink> valid,
    const ScoredSplit& test, std::span<const float> embeddings, int dim,
    int threads);

// The figures a person wants on the terminal: metrics, methods side by side
// and the histograms of context sizes and distances.
std::string ReportText(const TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_H_
