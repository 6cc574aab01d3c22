// Chooses how much rules count when nodes are ranked.
#ifndef SLICE_TRAINER_EVALUATION_RULE_WEIGHTS_H_
#define SLICE_TRAINER_EVALUATION_RULE_WEIGHTS_H_

#include <array>

#include "absl/status/statusor.h"
#include "trainer/evaluation/model_evaluation.h"

namespace slice {

// Returns two pairs of weights: one for questions with a known source, and one
// for questions with a known target. A pair is chosen from a small grid: with
// it the structural scorer has the highest mean reciprocal rank on a sample of
// the valid links. The ranking does not know the test links. All weights are 0
// when the model has no path rules, when valid has no positives, and beyond
// 300,000 nodes, where trying would take too long. Returns the errors of the
// scorer.
absl::StatusOr<std::array<RuleWeights, 2>> ChooseRuleWeights(
    const ModelEvaluation& evaluation);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RULE_WEIGHTS_H_
