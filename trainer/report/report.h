// What a training run or an evaluation measured (docs/evaluation.md). It is
// written as a page (report_page.h), as text (report_text.h) and as JSON
// (report_json.h).
#ifndef SLICE_TRAINER_REPORT_REPORT_H_
#define SLICE_TRAINER_REPORT_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "trainer/metrics.h"
#include "trainer/report/fidelity_result.h"
#include "trainer/report/report_parts.h"

namespace slice {

// Everything that a report shows. An empty part is left out of the page.
struct TrainingReport {
  std::string title;    // "slice on amazon"
  std::string created;  // RFC 3339
  std::string bundle_id;
  uint64_t seed = 0;
  // Whether what was measured had learned from the held-out links. The figures
  // are then no results (docs/leakage.md).
  bool leaky = false;
  std::vector<NamedValue> facts;   // nodes, links, …
  std::vector<NamedValue> labels;  // remarks on the run, such as its commit
  std::vector<std::string> notes;  // remarks a reader must know

  // One table per set of negatives; the row of the model comes first.
  std::vector<ResultTable> results;
  // The model on the published negatives, if one threshold decided about all
  // relations; zeros when no such threshold is known.
  BinaryMetrics one_threshold;
  std::vector<RankingTable> rankings;
  std::vector<NamedCurve> roc, precision_recall;
  std::vector<QuestionCalibration> calibrations;
  std::vector<ImpossibleLinks> impossible;

  // The scores of the published test links, one distribution per scorer: static
  // scores beside contextual ones.
  std::vector<ScoreDistribution> distributions;
  CountHistogram context_sizes, distances;
  std::vector<GroupTable> groups;  // "relation" among them
  std::vector<MetapathTable> metapaths;
  FidelityResult fidelity;
  std::vector<LinkExample> examples;

  PretrainingEffect pretraining;
  std::vector<NamedCurve> losses;  // x: epoch or step, y: loss
  std::vector<StepTime> steps;

  // The figures of the model on the published negatives; zeros without such a
  // table.
  BinaryMetrics Overall() const;
};

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_H_
