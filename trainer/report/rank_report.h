// What `slice-trainer rank` reports: filtered ranks of several methods on the
// same questions, as a table and as JSON.
#ifndef SLICE_TRAINER_REPORT_RANK_REPORT_H_
#define SLICE_TRAINER_REPORT_RANK_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trainer/metrics.h"

namespace slice {

struct RankedMethod {
  std::string name;
  RankingMetrics metrics;
};

// How many questions were asked, when not all of them were.
struct QuestionSample {
  size_t asked = 0, of = 0;  // of: all questions
  uint64_t seed = 0;
};

// The ranks of the links of one relation.
struct RankedRelation {
  std::string relation;
  RankedMethod model;
  std::vector<RankedMethod> baselines;
};

struct RankReport {
  RankedMethod model;
  std::vector<RankedMethod> baselines;  // methods that learn nothing
  std::vector<RankedRelation> relations;
  std::optional<QuestionSample> sample;
  // The key of the answer when all questions have the same answer.
  std::optional<std::string> only_answer;
};

// The table, the sample, and a sentence for every baseline that does better
// than the model in a printed figure. Several relations have a table each below
// that of all links.
std::string RankReportText(const RankReport& report);

// An object per method with links, mrr and hits@k. For a sample there is also
// mrr_error in each object (the standard error of mrr from the sampling), and
// an object `sample`; for several relations an object `relations`, which holds
// such an object per method for each relation. The text is indented and ends in
// a line break.
std::string RankReportJson(const RankReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_RANK_REPORT_H_
