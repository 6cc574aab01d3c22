// Decides by paired measurements whether one bundle is worse than another.
#ifndef SLICE_TRAINER_GATE_GATE_VERDICT_H_
#define SLICE_TRAINER_GATE_GATE_VERDICT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graphstore/types.h"

namespace slice {

// kAuroc: links against non-links, by the log-odds that they are plausible.
// kReciprocalRank: the mean reciprocal rank of filtered ranking.
enum class GateMeasure : uint8_t { kAuroc, kReciprocalRank };
std::string_view GateMeasureKey(GateMeasure measure);    // "auroc", "mrr"
std::string_view GateMeasureTitle(GateMeasure measure);  // "AUROC", "MRR"

// The answers of both bundles to one link or question. Those of one `row` are
// drawn together: the link, the non-link made from it, both questions about it.
struct GateAnswer {
  uint32_t row = 0;
  RelationId relation = 0;
  bool positive = true;  // of questions: true
  float current = 0;     // a score, or a reciprocal rank
  float candidate = 0;
};

struct GateTestOptions {
  double confidence = 0.95;  // of the intervals, and of all tests together
  double margin = 0;         // how much worse the candidate may be
  size_t least_links = 30;   // fewer links of a relation are not tested
  uint64_t seed = 1;
};

// One comparison.
struct GateFigure {
  GateMeasure measure = GateMeasure::kAuroc;
  bool is_overall = true;
  RelationId relation = 0;  // if not is_overall
  uint64_t links = 0;       // positives
  double current = 0, candidate = 0;
  double difference = 0;     // candidate - current
  double low = 0, high = 0;  // the confidence interval of the difference
  double p = 1;              // by Holm's correction
  bool is_worse = false;
};

// Compares the bundles by `links` (AUROC) and by `ranks` (MRR), over all
// relations together and, if there are several, for each relation of at least
// options.least_links positives (for AUROC: and as many non-links). A measure
// without as many positives overall has no figure.
//
// The rows of a group are drawn anew at least 2,000 times
// (trainer/evaluation/paired_bootstrap.h),
// which gives the percentile interval of the difference. Its p is twice the
// share of draws in which the candidate is not worse by more than the margin,
// so that without correction p < 1 - confidence means that the interval lies
// below -margin. Holm's step-down correction (Scandinavian Journal of
// Statistics, 1979) keeps the chance that any group is called worse by mistake
// near 1 - confidence, however many relations there are. The tails of the
// bootstrap are too thin in groups of few links: with hundreds of groups of
// some 30 the chance is two to four times as high.
std::vector<GateFigure> CompareAnswers(const std::vector<GateAnswer>& links,
                                       const std::vector<GateAnswer>& ranks,
                                       const GateTestOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_GATE_GATE_VERDICT_H_
