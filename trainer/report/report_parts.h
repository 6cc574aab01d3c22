// The parts of a report, as plain values.
#ifndef SLICE_TRAINER_REPORT_REPORT_PARTS_H_
#define SLICE_TRAINER_REPORT_REPORT_PARTS_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "trainer/metrics.h"

namespace slice {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

struct NamedValue {
  std::string name, value;
};

// One line of a results table: a scorer on one set of test links.
struct MethodResult {
  std::string key;     // "context", "structural", "three_paths", …
  std::string method;  // as shown
  BinaryMetrics metrics;
  bool is_model = false;  // drawn as ours
};

// The methods on one kind of negatives.
struct ResultTable {
  std::string key;          // "published", "typed", "degree_matched"
  std::string title, note;  // "Published negatives"; may be empty
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

struct ScoreDistribution {
  std::string title, x_label;
  double overlap = 0;  // of the two classes, 0 to 1
  SplitHistogram histogram;
};

// Counts of whole numbers, such as context sizes: counts[value].
struct CountHistogram {
  std::vector<uint64_t> positives, negatives;
  uint64_t unreachable_positives = 0;  // distances only: no path seen
  uint64_t unreachable_negatives = 0;

  bool empty() const { return positives.empty() && negatives.empty(); }
};

struct RankingFigures {
  uint64_t targets = 0;
  double mrr = kNotMeasured, mean_rank = kNotMeasured;
  double hits_1 = kNotMeasured, hits_3 = kNotMeasured, hits_10 = kNotMeasured;
};
RankingFigures MakeRankingFigures(const RankingMetrics& metrics);

struct RankingRow {
  std::string key, method;
  RankingFigures figures;
  bool is_model = false;
};

struct RankingTable {
  std::string title, note;
  std::vector<RankingRow> rows;
  double milliseconds = kNotMeasured;  // of a question, the median
};

// The links of one group: the model on the published and on the typed
// negatives, and its structural part on the published ones.
struct GroupResult {
  std::string name;
  BinaryMetrics published, typed, structural;
};

struct GroupTable {
  std::string key;  // as LinkGrouping::key
  std::string title;
  std::vector<GroupResult> rows;
};

// How well one output's probabilities are what they say.
struct QuestionCalibration {
  std::string key;    // "plausible", "among_kind"
  std::string title;  // "Plausible among all pairs"
  double temperature = 1;
  double threshold = 0.5;
  double log_loss = kNotMeasured, brier = kNotMeasured;
  double expected_error = kNotMeasured;
  std::vector<CalibrationBin> bins;
};

struct MetapathRow {
  std::string metapath;  // "paper - term - paper - author"
  uint64_t links = 0, non_links = 0;
  double mean_probability = 0;
};

// How the ends of a relation's links are joined, the most frequent first.
struct MetapathTable {
  std::string relation;
  uint64_t links = 0, non_links = 0;  // all of the relation
  std::vector<MetapathRow> rows;
};

// What is left of the score with only the explanation, and without it: mean
// absolute change of the probability (DeYoung et al., ACL 2020), beside
// the same for as many tokens drawn at random.
struct FidelityResult {
  uint64_t links = 0;
  double tokens = 0;     // in a context, on average, the ends left out
  double explained = 0;  // of them in the explanation
  double only = 0, without = 0;
  double random_only = 0, random_without = 0;
};

// One link with the attention behind its score.
struct AttentionExample {
  std::string title;   // "paper X -author-> Jiawei Han"
  std::string remark;  // "a link, probability 0.97"
  std::vector<std::string> tokens;
  std::vector<std::vector<float>> layers;  // [layers][tokens * tokens], heads
                                           // averaged
};

// Test AUROC of the same run with and without pre-training.
struct PretrainingEffect {
  double auroc_with = kNotMeasured, auroc_without = kNotMeasured;
};

struct StepTime {
  std::string step;
  double seconds = 0;
  double peak_mib = 0;  // the most memory held; 0: not known
};
}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_PARTS_H_
