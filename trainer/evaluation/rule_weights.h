// How much rules count when nodes are ranked.
#ifndef SLICE_TRAINER_EVALUATION_RULE_WEIGHTS_H_
#define SLICE_TRAINER_EVALUATION_RULE_WEIGHTS_H_

#include <array>

#include "absl/status/statusor.h"
#include "trainer/evaluation/model_evaluation.h"

namespace slice {

// For a known source and a known target the weights, of a small grid, by which
// the structural scorer has the highest mean reciprocal rank on a sample of the
// valid links. 0 where the graph has no path rules, valid no positives, or
// where ranking all nodes takes too long to try (beyond 300,000 nodes).
absl::StatusOr<std::array<RuleWeights, 2>> ChooseRuleWeights(
    const ModelEvaluation& evaluation);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RULE_WEIGHTS_H_
