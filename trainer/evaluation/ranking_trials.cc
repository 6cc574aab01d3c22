// The candidates of a question are scored once. The weights of the grid only
// change what is added to that score, so that all of them are tried on the same
// scores. Each thread asks questions of its own.
#include "trainer/evaluation/ranking_trials.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "common/status_macros.h"
#include "context/end_feature_cache.h"
#include "context/slot_candidates.h"
#include "model/candidate_ranker.h"
#include "trainer/evaluation/question_threads.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

// Questions in one direction.
constexpr size_t kFewestQuestions = 20;

// What is added to a score: that of the answer, and those of the rivals.
struct Terms {
  float answer = 0;
  std::vector<float> rivals;
};

// Keeps the values of the answer, which comes first, and of the rivals.
Terms Split(const QuestionCandidates& candidates,
            std::span<const float> values) {
  Terms terms{values[0], {}};
  terms.rivals.reserve(values.size());
  for (size_t i = 1; i < values.size(); ++i) {
    if (candidates.is_rival[i]) terms.rivals.push_back(values[i]);
  }
  return terms;
}

// a + weight * b
Terms Add(const Terms& a, float weight, const Terms& b) {
  Terms sum{a.answer + weight * b.answer, a.rivals};
  for (size_t i = 0; i < sum.rivals.size(); ++i) {
    sum.rivals[i] += weight * b.rivals[i];
  }
  return sum;
}

// Ranks the candidates of one question after the other in every way of the
// grid. Thread-compatible: there is one per thread.
class Trial {
 public:
  Trial(const PropagationGraph& graph, const LinkEncoder& encoder,
        const BatchScorer& scorer, const KnowledgeVectors* vectors,
        EndFeatureCache& ends)
      : vectors_(vectors), ranker_(graph, encoder, scorer, {.ends = &ends}) {}

  // Sets the ranks of question i of `trials`.
  absl::Status Ask(size_t i, const QuestionCandidates& candidates,
                   RankingTrials& trials) {
    const EndQuestion question = trials.questions()[i].question();
    SLICE_ASSIGN_OR_RETURN(const CandidateScores plain,
                           ranker_.ScoreAll(question, candidates.nodes));
    const Terms scores = Split(candidates, plain.scores);
    const Terms knowledge = Knowledge(question, candidates);
    Rank(scores, knowledge, trials.At(i, {}));
    for (size_t c = 0; c < kConstantWeights.size(); ++c) {
      const Terms rules = Rules(candidates, kConstantWeights[c]);
      std::ranges::copy(trials.At(i, {}), trials.At(i, {c, 0}).begin());
      for (size_t r = 1; r < kRuleWeights.size(); ++r) {
        Rank(Add(scores, kRuleWeights[r], rules), knowledge,
             trials.At(i, {c, r}));
      }
    }
    return absl::OkStatus();
  }

 private:
  Terms Rules(const QuestionCandidates& candidates, double constant_weight) {
    std::vector<float> values;
    for (const NodeId node : candidates.nodes) {
      values.push_back(ranker_.RuleScore(node, constant_weight));
    }
    return Split(candidates, values);
  }

  Terms Knowledge(const EndQuestion& question,
                  const QuestionCandidates& candidates) const {
    if (vectors_ == nullptr) return {};
    std::vector<float> point, values(candidates.nodes.size());
    vectors_->Prepare(question, point);
    vectors_->ScoreEach(point, candidates.nodes, values);
    return Split(candidates, values);
  }

  // The rank of the answer for each weight of `knowledge`.
  static void Rank(const Terms& scores, const Terms& knowledge,
                   std::span<float> ranks) {
    ranks[0] = static_cast<float>(RankAmong(scores.answer, scores.rivals));
    for (size_t k = 1; k < ranks.size(); ++k) {
      const Terms sum = Add(scores, kKnowledgeWeights[k], knowledge);
      ranks[k] = static_cast<float>(RankAmong(sum.answer, sum.rivals));
    }
  }

  const KnowledgeVectors* vectors_;
  CandidateRanker ranker_;
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
    const EvaluationLimits& limits) {
  std::vector<LinkQuestion> questions;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    size_t scores = 1;
    const auto few = QuestionsOf(rows, kFewestQuestions, direction);
    for (const LinkQuestion& question : few) {
      scores +=
          SlotCandidates(graph, question.link.relation, direction).size() +
          limits.scores_per_question;
    }
    const size_t count =
        std::clamp(limits.ranking_scores / 2 * few.size() / scores,
                   kFewestQuestions, kMostQuestions);
    std::ranges::copy(QuestionsOf(rows, count, direction),
                      std::back_inserter(questions));
  }
  return questions;
}

absl::StatusOr<RankingTrials> TryRankings(const ModelEvaluation& evaluation,
                                          const BatchScorer& scorer,
                                          const KnowledgeVectors* vectors,
                                          std::vector<LinkQuestion> questions) {
  const GraphSnapshot& snapshot = *evaluation.model.snapshot;
  const LinkEncoder& encoder = *evaluation.model.encoder;
  const KnownLinks known = evaluation.KnownToTuning();
  const PropagationGraph graph(snapshot);
  EndFeatureCache ends(snapshot, encoder, 0);
  std::vector<std::unique_ptr<Trial>> by_thread;
  for (int i = 0; i < std::max(1, evaluation.threads); ++i) {
    by_thread.push_back(
        std::make_unique<Trial>(graph, encoder, scorer, vectors, ends));
  }
  RankingTrials trials(std::move(questions), vectors != nullptr);
  SLICE_RETURN_IF_ERROR(AskOnThreads(
      snapshot, ends, EndQuestionsOf(trials.questions()),
      static_cast<int>(by_thread.size()), "ranking the answers of valid",
      [&](size_t i, std::span<const NodeId> fitting, int worker) {
        return by_thread[static_cast<size_t>(worker)]->Ask(
            i,
            CollectCandidates(snapshot, known, trials.questions()[i], fitting),
            trials);
      }));
  return trials;
}

}  // namespace slice
