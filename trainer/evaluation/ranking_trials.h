// Tries on valid how well many ways to score candidates would rank.
#ifndef SLICE_TRAINER_EVALUATION_RANKING_TRIALS_H_
#define SLICE_TRAINER_EVALUATION_RANKING_TRIALS_H_

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "context/knowledge_vectors.h"
#include "model/batch_scorer.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/evaluation/ranking_questions.h"

namespace slice {

// The grid of ways. A candidate is scored by
//   s + w * RuleScore(candidate, c) + k * (the score of KnowledgeVectors)
// where s is BatchScorer::ScoreForRanking, and c, w and k are of these lists.
inline constexpr std::array<float, 5> kConstantWeights = {0, 0.1f, 0.3f, 1, 3};
inline constexpr std::array<float, 7> kRuleWeights = {0, 0.25f, 0.5f, 0.75f,
                                                      1, 1.5f,  2};
inline constexpr std::array<float, 11> kKnowledgeWeights = {
    0, 0.05f, 0.1f, 0.2f, 0.3f, 0.5f, 0.75f, 1, 1.5f, 2, 3};

// A pair of rule weights, by its places in the grid.
struct RulePlace {
  size_t constants = 0, rules = 0;
};

// The rank of the answer to each question, for each way.
class RankingTrials {
 public:
  // All ranks are 0.
  RankingTrials(std::vector<LinkQuestion> questions, bool has_knowledge)
      : questions_(std::move(questions)),
        knowledge_(has_knowledge ? kKnowledgeWeights.size() : 1),
        ranks_(questions_.size() * OfQuestion()) {}

  const std::vector<LinkQuestion>& questions() const { return questions_; }
  // How many of kKnowledgeWeights were tried; 1 without vectors.
  size_t knowledge_weights() const { return knowledge_; }

  // The ranks of question i by two rule weights: [knowledge_weights()].
  std::span<float> At(size_t i, const RulePlace& place) {
    return std::span(ranks_).subspan(Offset(i, place), knowledge_);
  }
  std::span<const float> At(size_t i, const RulePlace& place) const {
    return std::span(ranks_).subspan(Offset(i, place), knowledge_);
  }

 private:
  size_t OfQuestion() const {
    return kConstantWeights.size() * kRuleWeights.size() * knowledge_;
  }
  size_t Offset(size_t i, const RulePlace& place) const {
    return i * OfQuestion() +
           (place.constants * kRuleWeights.size() + place.rules) * knowledge_;
  }

  std::vector<LinkQuestion> questions_;
  size_t knowledge_;
  std::vector<float> ranks_;
};

// Questions about a sample of the positives of `rows`, in both directions: at
// most kMostQuestions in each, and as many as half of limits.ranking_scores
// allows. The candidates of a few questions tell how many scores a question
// takes. Questions with more than limits.most_candidates are left out.
inline constexpr size_t kMostQuestions = 1500;
std::vector<LinkQuestion> AffordableQuestions(
    const GraphSnapshot& graph, std::span<const LabelledLink> rows,
    const EvaluationLimits& limits);

// Ranks all candidates of `questions`, which are about valid links, by
// `scorer`. The scorer of `evaluation` is not read. True links of train and
// valid are no rivals; those of test are, because nothing that is chosen may
// know them. `vectors` may be null. Returns the errors of the scorer.
absl::StatusOr<RankingTrials> TryRankings(const ModelEvaluation& evaluation,
                                          const BatchScorer& scorer,
                                          const KnowledgeVectors* vectors,
                                          std::vector<LinkQuestion> questions);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RANKING_TRIALS_H_
