// How much path rules count when nodes are ranked.
#ifndef SLICE_TRAINER_RULE_WEIGHT_H_
#define SLICE_TRAINER_RULE_WEIGHT_H_

#include "absl/status/statusor.h"
#include "trainer/model_evaluation.h"

namespace slice {

// The OutputReading::rule_weight, of a small grid, by which the structural
// scorer has the highest mean reciprocal rank on a sample of the valid links.
// 0 where the graph has no rules, valid no positives, or where ranking all
// nodes takes too long to try (beyond 300,000 nodes).
absl::StatusOr<double> ChooseRuleWeight(const ModelEvaluation& evaluation);

}  // namespace slice

#endif  // SLICE_TRAINER_RULE_WEIGHT_H_
