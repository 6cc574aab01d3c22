// The weights are chosen for each direction on its own, in these steps:
//   1. a sample of the valid positives becomes questions; the number of their
//      candidates bounds how many are asked;
//   2. the structural scorer scores the candidates of a question once. Both
//      rule weights only change what is added to that score, so that every pair
//      of weights of the grid is tried on the same scores. Each thread asks
//      questions of its own;
//   3. the pair of weights with the highest sum of reciprocal ranks wins.
//      Candidates that answer truly by train or valid are left out; links of
//      test are not known here.
#include "trainer/evaluation/rule_weights.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "common/status_macros.h"
#include "context/end_feature_cache.h"
#include "context/slot_candidates.h"
#include "model/candidate_ranker.h"
#include "trainer/evaluation/question_threads.h"
#include "trainer/evaluation/ranking_questions.h"

namespace slice {
namespace {

// The grid: weights of the rule score, and of constant rules within it.
constexpr std::array<double, 7> kOfRules = {0, 0.25, 0.5, 0.75, 1, 1.5, 2};
constexpr std::array<double, 5> kOfConstants = {0, 0.1, 0.3, 1, 3};
constexpr size_t kMostNodes = 300000;
// Questions in one direction.
constexpr size_t kFewestQuestions = 20, kMostQuestions = 1000;

// By the weights of constants, then of rules.
using Grid =
    std::array<std::array<double, kOfRules.size()>, kOfConstants.size()>;

// Adds the reciprocal ranks of one question.
void Add(const Grid& ranks, Grid& sums) {
  for (size_t c = 0; c < kOfConstants.size(); ++c) {
    for (size_t r = 0; r < kOfRules.size(); ++r) sums[c][r] += ranks[c][r];
  }
}

// A pair of weights, by its place in the grid.
struct GridPlace {
  size_t constants = 0, rules = 0;

  double In(const Grid& grid) const { return grid[constants][rules]; }
};

// The pair of weights with the highest sum; of equally good pairs the first of
// the grid. Ranks are added in the order of the questions, so that the sums do
// not depend on threads.
GridPlace BestOf(std::span<const Grid> ranks) {
  Grid sums = {};
  for (const Grid& one : ranks) Add(one, sums);
  GridPlace best;
  for (size_t c = 0; c < kOfConstants.size(); ++c) {
    for (size_t r = 0; r < kOfRules.size(); ++r) {
      if (sums[c][r] > best.In(sums)) best = {c, r};
    }
  }
  return best;
}

// Ranks the candidates of one question after the other with every pair of
// weights. Thread-compatible: there is one per thread.
class Trial {
 public:
  Trial(const ModelEvaluation& evaluation, const PropagationGraph& graph,
        EndFeatureCache& ends)
      : ranker_(graph, *evaluation.model.encoder, *evaluation.model.scorer,
                {.ends = &ends}) {}

  // The reciprocal ranks of the answer.
  absl::StatusOr<Grid> Ask(const LinkQuestion& question,
                           const QuestionCandidates& candidates) {
    SLICE_ASSIGN_OR_RETURN(
        const CandidateScores plain,
        ranker_.ScoreAll(question.question(), candidates.nodes));
    const size_t count = candidates.nodes.size();
    std::vector<float> terms(count), scores(count);
    Grid ranks;
    for (size_t c = 0; c < kOfConstants.size(); ++c) {
      for (size_t i = 0; i < count; ++i) {
        terms[i] = ranker_.RuleScore(candidates.nodes[i], kOfConstants[c]);
      }
      for (size_t r = 0; r < kOfRules.size(); ++r) {
        for (size_t i = 0; i < count; ++i) {
          scores[i] =
              plain.scores[i] + static_cast<float>(kOfRules[r]) * terms[i];
        }
        ranks[c][r] = 1 / candidates.RankOfAnswer(scores);
      }
    }
    return ranks;
  }

 private:
  CandidateRanker ranker_;
};

// Asks questions on all threads.
class Trials {
 public:
  explicit Trials(const ModelEvaluation& evaluation)
      : snapshot_(*evaluation.model.snapshot),
        known_(evaluation.KnownToTuning()),
        graph_(snapshot_),
        ends_(snapshot_, *evaluation.model.encoder, 0) {
    for (int i = 0; i < std::max(1, evaluation.threads); ++i) {
      trials_.push_back(std::make_unique<Trial>(evaluation, graph_, ends_));
    }
  }

  // The reciprocal ranks of each question.
  absl::StatusOr<std::vector<Grid>> Ask(std::span<const LinkQuestion> questions,
                                        const std::string& title) {
    std::vector<Grid> ranks(questions.size());
    SLICE_RETURN_IF_ERROR(AskOnThreads(
        snapshot_, ends_, EndQuestionsOf(questions),
        static_cast<int>(trials_.size()), title,
        [&](size_t i, std::span<const NodeId> fitting,
            int worker) -> absl::Status {
          SLICE_ASSIGN_OR_RETURN(
              ranks[i],
              trials_[static_cast<size_t>(worker)]->Ask(
                  questions[i],
                  CollectCandidates(snapshot_, known_, questions[i], fitting)));
          return absl::OkStatus();
        }));
    return ranks;
  }

 private:
  const GraphSnapshot& snapshot_;
  const KnownLinks known_;
  const PropagationGraph graph_;
  EndFeatureCache ends_;
  std::vector<std::unique_ptr<Trial>> trials_;  // by thread
};

std::vector<LinkQuestion> QuestionsOf(std::span<const LabelledLink> rows,
                                      size_t count, Direction direction) {
  std::vector<LinkQuestion> questions = SampleQuestions(rows, count);
  std::erase_if(questions, [direction](const LinkQuestion& question) {
    return question.direction != direction;
  });
  return questions;
}

}  // namespace

std::vector<LinkQuestion> AffordableQuestions(
    const GraphSnapshot& graph, std::span<const LabelledLink> rows,
    Direction direction, const EvaluationLimits& limits) {
  size_t scores = 1;
  const auto few = QuestionsOf(rows, kFewestQuestions, direction);
  for (const LinkQuestion& question : few) {
    scores += SlotCandidates(graph, question.link.relation, direction).size() +
              limits.scores_per_question;
  }
  return QuestionsOf(rows,
                     std::clamp(limits.ranking_scores / 2 * few.size() / scores,
                                kFewestQuestions, kMostQuestions),
                     direction);
}

absl::StatusOr<RuleWeightChoice> ChooseRuleWeights(
    const ModelEvaluation& evaluation) {
  const GraphSnapshot& graph = *evaluation.model.snapshot;
  const auto& rules = evaluation.model.encoder->tables().rules;
  RuleWeightChoice choice;
  if (!rules || rules->rules().empty() || graph.node_count() > kMostNodes) {
    return choice;
  }
  Trials trials(evaluation);
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const std::vector<LinkQuestion> questions = AffordableQuestions(
        graph, evaluation.valid, direction, evaluation.limits);
    SLICE_ASSIGN_OR_RETURN(
        const std::vector<Grid> ranks,
        trials.Ask(questions, direction == Direction::kOut
                                  ? "ranking targets of valid links"
                                  : "ranking sources of valid links"));
    const GridPlace best = BestOf(ranks);
    choice.weights[static_cast<size_t>(direction)] = {
        kOfRules[best.rules], kOfConstants[best.constants]};
    for (const Grid& one : ranks) {
      choice.ranks.push_back(best.In(one));
      choice.mean_reciprocal_rank += choice.ranks.back();
    }
    choice.asked += questions.size();
    choice.of +=
        AffordableQuestions(graph, evaluation.valid, direction, {}).size();
  }
  choice.mean_reciprocal_rank /=
      static_cast<double>(std::max<size_t>(1, choice.asked));
  return choice;
}

}  // namespace slice
