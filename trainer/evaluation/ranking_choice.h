// Chooses on valid what orders the candidates of a question.
#ifndef SLICE_TRAINER_EVALUATION_RANKING_CHOICE_H_
#define SLICE_TRAINER_EVALUATION_RANKING_CHOICE_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "context/knowledge_vectors.h"
#include "model/batch_scorer.h"
#include "trainer/evaluation/model_evaluation.h"

namespace slice {

// What may order candidates beside the model and its rules.
struct RankingAids {
  const BatchScorer* network = nullptr;       // the ranking network, or none
  const KnowledgeVectors* vectors = nullptr;  // or none
  bool measure = false;  // asks also where there is nothing to choose
};

struct RankingChoice {
  std::array<RuleWeights, 2> rule_weights;
  bool uses_network = false;
  // The weight of KnowledgeVectors in the order of candidates, by relation;
  // empty if they are not used.
  std::vector<float> knowledge_weights;
  // Sentences with figures; empty without the aid that they are about.
  std::string network_reason, knowledge_reason;

  size_t asked = 0;                 // questions that the choice rests on
  double mean_reciprocal_rank = 0;  // of the questions asked, by this choice
};

// How good it is that the answer has this rank: 6 / (5 + rank). A change from
// 1 to 2 counts a seventh, not half as in the reciprocal rank. Valid is ranked
// while the links of test are rivals. A better ranking puts them high, too, and
// what they do at the first ranks drowns what the choice does.
inline double RankScore(double rank) { return 6 / (5 + rank); }

// Asks a sample of questions about valid links; ranks count by RankScore.
//   1. Rule weights: the best of the grid of ranking_trials.h, for each
//      direction of a question.
//   2. Knowledge: weights by relation, with those rule weights. They must gain
//      clearly on questions that they were not chosen by.
//   3. Network: the first two steps are made with and without it. It must gain
//      clearly.
// Everything is 0 or unused when there is nothing to choose (but the figures
// with `measure`), when valid has no positives, and when every question has
// more than limits.most_candidates candidates, which would take too much
// memory. Returns the errors of the scorers.
absl::StatusOr<RankingChoice> ChooseRanking(const ModelEvaluation& evaluation,
                                            const RankingAids& aids);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RANKING_CHOICE_H_
