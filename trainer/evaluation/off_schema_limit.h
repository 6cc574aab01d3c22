// Limits how often pairs off schema are called links.
#ifndef SLICE_TRAINER_EVALUATION_OFF_SCHEMA_LIMIT_H_
#define SLICE_TRAINER_EVALUATION_OFF_SCHEMA_LIMIT_H_

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "model/prediction.h"
#include "trainer/evaluation/evaluation.h"

namespace slice {

// The share of pairs off schema that may be called links.
inline constexpr double kMostOffSchemaCalled = 0.015;

// A logit of the answering scorer with what else decides.
struct DecidedPair {
  RelationId relation = 0;
  LinkFlags flags;
  double logit = 0;
  bool positive = false;
};

// Returns the margin (OutputReading::off_schema_margin) with which at most
// kMostOffSchemaCalled of `impossible`, which are drawn pairs off schema, are
// called links. True links may be off schema too, so it stops earlier where the
// decisions about `valid` would get worse than those without a margin and than
// those by one calibration for all relations. Their worth is the mean of F1 and
// accuracy.
double LimitOffSchema(std::span<const DecidedPair> impossible,
                      std::span<const DecidedPair> valid,
                      const OutputReading& reading);

// The positives of `valid` and its published negatives.
std::vector<DecidedPair> DecidedRows(const ScoredSplit& valid);

// Draws pairs off schema, scores them, and sets the margin of `reading` by
// LimitOffSchema. Returns the errors of the scorer.
absl::Status ApplyOffSchemaLimit(const ScoringModel& model,
                                 const ScoredSplit& valid,
                                 const KnownLinks& known, int threads,
                                 OutputReading& reading);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_OFF_SCHEMA_LIMIT_H_
