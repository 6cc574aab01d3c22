#include "trainer/evaluation/off_schema_limit.h"

#include <algorithm>

#include "common/random.h"
#include "common/status_macros.h"
#include "trainer/evaluation/impossible_links.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

constexpr double kStep = 0.25;
constexpr size_t kDrawnPairs = 4 * kImpossiblePairs;
constexpr double kMost = 8;

bool Called(const DecidedPair& pair, const OutputReading& reading) {
  const Calibration& one = reading.of(Question::kPlausible, pair.relation);
  const double shift = reading.SchemaLogOdds(pair.relation, pair.flags);
  return one.Probability(pair.logit, shift) >=
         reading.Threshold(pair.relation, pair.flags);
}

// What the decisions about some rows are worth: the mean of F1 and accuracy.
double WorthOf(std::span<const DecidedPair> rows,
               const OutputReading& reading) {
  ConfusionCounts counts;
  for (const DecidedPair& row : rows) {
    const bool called = Called(row, reading);
    ++(row.positive
           ? (called ? counts.true_positives : counts.false_negatives)
           : (called ? counts.false_positives : counts.true_negatives));
  }
  return (counts.F1() + counts.Accuracy()) / 2;
}

}  // namespace

double LimitOffSchema(std::span<const DecidedPair> impossible,
                      std::span<const DecidedPair> valid,
                      const OutputReading& reading) {
  OutputReading tried = reading, together = reading;
  tried.off_schema_margin = 0;
  together.off_schema_margin = 0;
  together.relations = nullptr;
  const double least =
      std::min(WorthOf(valid, tried), WorthOf(valid, together));
  const double most =
      kMostOffSchemaCalled * static_cast<double>(impossible.size());
  while (tried.off_schema_margin < kMost) {
    const auto called = std::count_if(
        impossible.begin(), impossible.end(),
        [&](const DecidedPair& pair) { return Called(pair, tried); });
    if (static_cast<double>(called) <= most) break;
    OutputReading next = tried;
    next.off_schema_margin += kStep;
    if (WorthOf(valid, next) < least) break;
    tried = next;
  }
  return tried.off_schema_margin;
}

std::vector<DecidedPair> DecidedRows(const ScoredSplit& valid) {
  std::vector<DecidedPair> rows;
  for (const uint32_t i : valid.links.PositionsOf(NegativeSet::kPublished)) {
    rows.push_back({valid.links.links[i].relation, valid.flags[i],
                    valid.model().of(Question::kPlausible)[i],
                    valid.links.labels[i] != 0});
  }
  return rows;
}

absl::Status ApplyOffSchemaLimit(const ScoringModel& model,
                                 const ScoredSplit& valid,
                                 const KnownLinks& known, int threads,
                                 OutputReading& reading) {
  // Other pairs than those that a report asks about.
  const uint64_t seed = CombineHash(kEvaluationSeed, 11);
  const std::vector<Link> pairs =
      DrawOffSchemaPairs(*model.snapshot, known, kDrawnPairs, seed);
  SLICE_ASSIGN_OR_RETURN(
      const ScoredLinks scored,
      ScoreManyLinks(model, pairs, pairs, threads, "pairs off schema"));
  std::vector<DecidedPair> impossible;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Prediction& prediction = scored.predictions[i];
    impossible.push_back(
        {pairs[i].relation, prediction.flags,
         prediction.Logit(reading.scorer, Question::kPlausible), false});
  }
  reading.off_schema_margin =
      LimitOffSchema(impossible, DecidedRows(valid), reading);
  return absl::OkStatus();
}

}  // namespace slice
