// The weights are chosen for each direction on its own, in these steps:
//   1. a sample of the valid positives becomes questions; the number of their
//      candidates bounds how many are asked;
//   2. the structural scorer scores the candidates of a question once. Both
//      rule weights only change what is added to that score, so that every pair
//      of weights of the grid is tried on the same scores;
//   3. the pair of weights with the highest sum of reciprocal ranks wins.
//      Candidates that answer truly by train or valid are left out; links of
//      test are not known here.
#include "trainer/evaluation/rule_weights.h"

#include <algorithm>
#include <array>
#include <vector>

#include "common/status_macros.h"
#include "context/slot_candidates.h"
#include "model/candidate_ranker.h"
#include "trainer/evaluation/ranking_questions.h"

namespace slice {
namespace {

// The grid: weights of the rule score, and of constant rules within it.
constexpr std::array<double, 7> kOfRules = {0, 0.25, 0.5, 0.75, 1, 1.5, 2};
constexpr std::array<double, 5> kOfConstants = {0, 0.1, 0.3, 1, 3};
constexpr size_t kMostNodes = 300000;
// Questions in one direction.
constexpr size_t kFewestQuestions = 20, kMostQuestions = 1000;
constexpr size_t kScores = 5'000'000;  // roughly, of all questions together

// Sums of reciprocal ranks over the questions, for every pair of weights.
class ReciprocalRanks {
 public:
  void Add(size_t constants, size_t rules, double value) {
    sums_[constants][rules] += value;
  }
  // The best pair of weights; of equally good pairs the first of the grid.
  RuleWeights Best() const {
    RuleWeights best;
    double highest = sums_[0][0];
    for (size_t c = 0; c < kOfConstants.size(); ++c) {
      for (size_t r = 0; r < kOfRules.size(); ++r) {
        if (sums_[c][r] <= highest) continue;
        highest = sums_[c][r];
        best = {kOfRules[r], kOfConstants[c]};
      }
    }
    return best;
  }

 private:
  std::array<std::array<double, kOfRules.size()>, kOfConstants.size()> sums_ =
      {};
};

// Ranks the candidates of questions with every pair of weights.
class Trial {
 public:
  Trial(const ModelEvaluation& evaluation, const KnownLinks& known,
        const PropagationGraph& graph)
      : snapshot_(*evaluation.model.snapshot),
        known_(known),
        ranker_(graph, *evaluation.model.encoder, *evaluation.model.scorer,
                {.threads = evaluation.threads}) {}

  absl::Status Ask(const LinkQuestion& question) {
    const QuestionCandidates candidates =
        CollectCandidates(snapshot_, known_, question);
    SLICE_ASSIGN_OR_RETURN(
        const CandidateScores plain,
        ranker_.ScoreAll(question.question(), candidates.nodes));
    const size_t count = candidates.nodes.size();
    std::vector<float> terms(count), scores(count);
    for (size_t c = 0; c < kOfConstants.size(); ++c) {
      for (size_t i = 0; i < count; ++i) {
        terms[i] = ranker_.RuleScore(candidates.nodes[i], kOfConstants[c]);
      }
      for (size_t r = 0; r < kOfRules.size(); ++r) {
        for (size_t i = 0; i < count; ++i) {
          scores[i] =
              plain.scores[i] + static_cast<float>(kOfRules[r]) * terms[i];
        }
        sums_.Add(c, r, 1 / candidates.RankOfAnswer(scores));
      }
    }
    return absl::OkStatus();
  }

  const ReciprocalRanks& sums() const { return sums_; }

 private:
  const GraphSnapshot& snapshot_;
  const KnownLinks& known_;
  CandidateRanker ranker_;
  ReciprocalRanks sums_;
};

std::vector<LinkQuestion> QuestionsOf(std::span<const LabelledLink> rows,
                                      size_t count, Direction direction) {
  std::vector<LinkQuestion> questions = SampleQuestions(rows, count);
  std::erase_if(questions, [direction](const LinkQuestion& question) {
    return question.direction != direction;
  });
  return questions;
}

// Returns as many questions as half of kScores allows; the other half is for
// the other direction. The candidates of a few questions tell how many scores a
// question takes.
std::vector<LinkQuestion> AffordableQuestions(
    const GraphSnapshot& graph, std::span<const LabelledLink> rows,
    Direction direction) {
  size_t scores = 1;
  const auto few = QuestionsOf(rows, kFewestQuestions, direction);
  for (const LinkQuestion& question : few) {
    scores += SlotCandidates(graph, question.link.relation, direction).size();
  }
  return QuestionsOf(rows,
                     std::clamp(kScores / 2 * few.size() / scores,
                                kFewestQuestions, kMostQuestions),
                     direction);
}

}  // namespace

absl::StatusOr<std::array<RuleWeights, 2>> ChooseRuleWeights(
    const ModelEvaluation& evaluation) {
  const GraphSnapshot& graph = *evaluation.model.snapshot;
  const auto& rules = evaluation.model.encoder->tables().rules;
  std::array<RuleWeights, 2> weights;
  if (!rules || rules->rules().empty() || graph.node_count() > kMostNodes) {
    return weights;
  }
  const KnownLinks known = evaluation.KnownToTuning();
  const PropagationGraph propagation(graph);
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    Trial trial(evaluation, known, propagation);
    SLICE_RETURN_IF_ERROR(
        AskAll(AffordableQuestions(graph, evaluation.valid, direction),
               direction == Direction::kOut ? "ranking targets of valid links"
                                            : "ranking sources of valid links",
               [&trial](const LinkQuestion& question) {
                 return trial.Ask(question);
               }));
    weights[static_cast<size_t>(direction)] = trial.sums().Best();
  }
  return weights;
}

}  // namespace slice
