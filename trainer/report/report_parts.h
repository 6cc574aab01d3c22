// The parts of a report, as plain values (docs/evaluation.md).
#ifndef SLICE_TRAINER_REPORT_REPORT_PARTS_H_
#define SLICE_TRAINER_REPORT_REPORT_PARTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "common/page/svg_network.h"
#include "trainer/metrics.h"
#include "trainer/report/calibration_parts.h"
#include "trainer/report/score_histogram.h"

namespace slice {

struct NamedValue {
  std::string name, value;
};

// One row of a results table: the figures of a method on one set of test links.
struct MethodResult {
  std::string key;     // "context", "structural", "three_paths", …
  std::string method;  // its name in tables
  BinaryMetrics metrics;
  bool is_model = false;  // a scorer of the model, set off from other methods
};

// The figures of all methods on one set of negatives.
struct ResultTable {
  std::string key;          // "published", "typed", "degree_matched"
  std::string title, note;  // "Published negatives"; the note may be empty
  std::vector<MethodResult> rows;
};

struct NamedCurve {
  std::string name;
  std::vector<CurvePoint> points;
};

struct ScoreDistribution {
  std::string title, x_label;
  double overlap = 0;  // Overlap() of the two classes, 0 to 1
  SplitHistogram histogram;
};

// Counts of links and non-links by a whole number, such as their context size.
struct CountHistogram {
  std::vector<uint64_t> positives, negatives;
  // Of distances only: links and non-links whose ends no path was seen to join.
  uint64_t unreachable_positives = 0;
  uint64_t unreachable_negatives = 0;

  bool empty() const { return positives.empty() && negatives.empty(); }
};

struct RankingFigures {
  uint64_t targets = 0;
  double mrr = kNotMeasured, mean_rank = kNotMeasured;
  double hits_1 = kNotMeasured, hits_3 = kNotMeasured, hits_10 = kNotMeasured;
  // Standard errors from the sampling of questions; 0 when all were asked.
  double mrr_error = kNotMeasured, hits_1_error = kNotMeasured,
         hits_3_error = kNotMeasured, hits_10_error = kNotMeasured;
  // By how much the reciprocal ranks are higher than those of the structural
  // scorer on the same questions, and the standard error of that over
  // questions. Only of other scorers.
  double over_structural = kNotMeasured, over_structural_error = kNotMeasured;
};
// `of` is the number of all questions, of which the ranked ones are a sample.
RankingFigures MakeRankingFigures(const RankingMetrics& metrics, uint64_t of);

struct RankingRow {
  std::string key, method;
  RankingFigures figures;
  bool is_model = false;
};

struct RankingTable {
  std::string title, note;
  std::vector<RankingRow> rows;
  double milliseconds = kNotMeasured;  // of a question; see the note
};

// One group of links: the model on the published and on the typed negatives,
// and its structural scorer on the published negatives.
struct GroupResult {
  std::string name;
  BinaryMetrics published, typed, structural;
};

struct GroupTable {
  std::string key;  // LinkGrouping::key
  std::string title;
  std::vector<GroupResult> rows;
};

struct MetapathRow {
  std::string metapath;  // "paper - term - paper - author"
  uint64_t links = 0, non_links = 0;
  double mean_probability = 0;
};

// The metapaths that join the ends of a relation's links, the most frequent
// first.
struct MetapathTable {
  std::string relation;
  uint64_t links = 0, non_links = 0;  // of the relation, by any path or none
  std::vector<MetapathRow> rows;
};

// One link with the attention behind its score.
struct LinkExample {
  std::string title;   // "paper X -author-> Jiawei Han"
  std::string remark;  // "a link, probability 0.97"
  Network network;     // the ends, and what they attend to most between them
  std::vector<std::string> tokens;
  // [layers][tokens * tokens], the mean of the heads.
  std::vector<std::vector<float>> layers;
};

// Test AUROC of the context scorer of one run with and without pre-training.
struct PretrainingEffect {
  double auroc_with = kNotMeasured, auroc_without = kNotMeasured;
};

struct StepTime {
  std::string step;
  double seconds = 0;
  double peak_mib = 0;  // peak memory; 0: not known
};
}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_PARTS_H_
