// The candidates of a question are scored once. The weights of the grid only
// change what is added to that score, so that all of them are tried on the same
// scores. Each thread asks questions of its own.
#include "trainer/evaluation/ranking_trials.h"

#include <algorithm>
#include <memory>
#include <optional>
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

// a + weight * b
std::vector<float> Add(std::span<const float> a, float weight,
                       std::span<const float> b) {
  std::vector<float> sum(a.begin(), a.end());
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += weight * b[i];
  return sum;
}

// Ranks the candidates of one question after the other in every way of the
// grid. Scores, knowledge and rules are parallel to the candidates.
// Thread-compatible: there is one per thread.
class Trial {
 public:
  Trial(const PropagationGraph& graph, const LinkEncoder& encoder,
        const BatchScorer& scorer, const KnowledgeVectors* vectors,
        EndFeatureCache& ends)
      : vectors_(vectors),
        has_rules_(encoder.tables().rules.has_value()),
        ranker_(graph, encoder, scorer, {.ends = &ends}) {}

  // Sets the ranks of the questions of `trials` at the positions `same`, of
  // which `candidates` are the candidates.
  absl::Status Ask(std::span<const size_t> same,
                   const QuestionCandidates& candidates,
                   RankingTrials& trials) {
    const EndQuestion question = trials.questions()[same.front()].question();
    SLICE_ASSIGN_OR_RETURN(const CandidateScores plain,
                           ranker_.ScoreAll(question, candidates.nodes));
    const std::vector<float>& scores = plain.scores;
    const std::vector<float> knowledge = Knowledge(question, candidates);
    const auto rank = [&](std::span<const float> sums, const RulePlace& place) {
      for (size_t k = 0; k < trials.knowledge_weights(); ++k) {
        const std::vector<double> ranks = candidates.RanksOfAnswers(
            k == 0 ? sums : Add(sums, kKnowledgeWeights[k], knowledge));
        for (size_t i = 0; i < same.size(); ++i) {
          trials.At(same[i], place)[k] = static_cast<float>(ranks[i]);
        }
      }
    };
    rank(scores, {});
    for (size_t c = 0; c < kConstantWeights.size(); ++c) {
      const std::vector<float> rules =
          has_rules_ ? Rules(candidates, kConstantWeights[c])
                     : std::vector<float>();
      for (size_t r = 0; r < kRuleWeights.size(); ++r) {
        if (has_rules_ && r > 0) {
          rank(Add(scores, kRuleWeights[r], rules), {c, r});
          continue;
        }
        for (const size_t i : same) {
          std::ranges::copy(trials.At(i, {}), trials.At(i, {c, r}).begin());
        }
      }
    }
    return absl::OkStatus();
  }

 private:
  std::vector<float> Rules(const QuestionCandidates& candidates,
                           double constant_weight) {
    std::vector<float> values;
    for (const NodeId node : candidates.nodes) {
      values.push_back(ranker_.RuleScore(node, constant_weight));
    }
    return values;
  }

  // Empty without vectors.
  std::vector<float> Knowledge(const EndQuestion& question,
                               const QuestionCandidates& candidates) const {
    if (vectors_ == nullptr) return {};
    std::vector<float> point, values(candidates.nodes.size());
    vectors_->Prepare(question, point);
    vectors_->CenteredScoreOfEach(question, point, candidates.nodes, values);
    return values;
  }

  const KnowledgeVectors* vectors_;
  const bool has_rules_;  // without, every rule weight ranks alike
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

// How many candidates the questions of one direction have, by relation.
class CandidateCounts {
 public:
  CandidateCounts(const GraphSnapshot& graph, Direction direction)
      : graph_(graph), direction_(direction), counts_(graph.relation_count()) {}

  size_t Of(RelationId relation) {
    std::optional<size_t>& count = counts_[relation];
    if (!count) count = SlotCandidates(graph_, relation, direction_).size();
    return *count;
  }

 private:
  const GraphSnapshot& graph_;
  const Direction direction_;
  std::vector<std::optional<size_t>> counts_;
};

}  // namespace

std::vector<LinkQuestion> AffordableQuestions(
    const GraphSnapshot& graph, std::span<const LabelledLink> rows,
    const EvaluationLimits& limits) {
  std::vector<LinkQuestion> questions;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    CandidateCounts candidates(graph, direction);
    size_t scores = 1;
    const auto few = QuestionsOf(rows, kFewestQuestions, direction);
    for (const LinkQuestion& question : few) {
      scores +=
          candidates.Of(question.link.relation) + limits.scores_per_question;
    }
    const size_t count =
        std::clamp(limits.ranking_scores / 2 * few.size() / scores,
                   kFewestQuestions, kMostQuestions);
    std::ranges::copy_if(QuestionsOf(rows, count, direction),
                         std::back_inserter(questions),
                         [&](const LinkQuestion& question) {
                           return candidates.Of(question.link.relation) <=
                                  limits.most_candidates;
                         });
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
      [&](std::span<const size_t> same, std::span<const NodeId> fitting,
          int worker) {
        return by_thread[static_cast<size_t>(worker)]->Ask(
            same,
            CollectCandidates(snapshot, known,
                              QuestionsAt(trials.questions(), same), fitting),
            trials);
      }));
  return trials;
}

}  // namespace slice
