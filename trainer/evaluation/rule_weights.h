// Chooses how much rules count when nodes are ranked.
#ifndef SLICE_TRAINER_EVALUATION_RULE_WEIGHTS_H_
#define SLICE_TRAINER_EVALUATION_RULE_WEIGHTS_H_

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/evaluation/ranking_questions.h"

namespace slice {

struct RuleWeightChoice {
  std::array<RuleWeights, 2> weights;
  size_t asked = 0;  // questions that the choice rests on
  size_t of = 0;     // as many as are asked without evaluation.limits
  double mean_reciprocal_rank = 0;  // of the questions asked, by these weights
  std::vector<double> ranks;        // their reciprocal ranks
};

// Questions about a sample of the positives of `rows`, all in one direction:
// as many as half of limits.ranking_scores allows, because the other half is
// for the other direction. The candidates of a few questions tell how many
// scores a question takes.
std::vector<LinkQuestion> AffordableQuestions(
    const GraphSnapshot& graph, std::span<const LabelledLink> rows,
    Direction direction, const EvaluationLimits& limits);

// Chooses two pairs of weights: one for questions with a known source, and one
// for questions with a known target. A pair is chosen from a small grid: with
// it the structural scorer has the highest mean reciprocal rank on a sample of
// the valid links. The ranking does not know the test links. All weights are 0
// when the model has no path rules, when valid has no positives, and beyond
// 300,000 nodes, where trying would take too long. Returns the errors of the
// scorer.
absl::StatusOr<RuleWeightChoice> ChooseRuleWeights(
    const ModelEvaluation& evaluation);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RULE_WEIGHTS_H_
