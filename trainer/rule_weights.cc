#include "trainer/rule_weights.h"

#include <algorithm>
#include <array>
#include <vector>

#include "common/mutex.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "model/candidate_ranker.h"
#include "trainer/ranking_questions.h"

namespace slice {
namespace {

constexpr std::array<double, 7> kOfRules = {0, 0.25, 0.5, 0.75, 1, 1.5, 2};
constexpr std::array<double, 5> kOfConstants = {0, 0.1, 0.3, 1, 3};
constexpr size_t kMostNodes = 300000;
constexpr size_t kMostPositives = 200;
constexpr size_t kScores = 20'000'000;  // to be made in all, about

// Sums, by both weights.
using ReciprocalRanks =
    std::array<std::array<double, kOfRules.size()>, kOfConstants.size()>;

absl::Status AskOne(const ModelEvaluation& evaluation, const KnownLinks& known,
                    const LinkQuestion& question, CandidateRanker& ranker,
                    ReciprocalRanks& sums) {
  const QuestionCandidates candidates =
      CollectCandidates(*evaluation.model.snapshot, known, question);
  SLICE_ASSIGN_OR_RETURN(
      const CandidateScores plain,
      ranker.ScoreAll(question.question(), candidates.nodes));
  const size_t count = candidates.nodes.size();
  std::vector<float> terms(count), scores(count);
  for (size_t c = 0; c < kOfConstants.size(); ++c) {
    for (size_t i = 0; i < count; ++i) {
      terms[i] = ranker.RuleScore(candidates.nodes[i], kOfConstants[c]);
    }
    for (size_t r = 0; r < kOfRules.size(); ++r) {
      for (size_t i = 0; i < count; ++i) {
        scores[i] =
            plain.logits[i] + static_cast<float>(kOfRules[r]) * terms[i];
      }
      sums[c][r] += 1 / candidates.RankOfAnswer(scores);
    }
  }
  return absl::OkStatus();
}

void AddTo(ReciprocalRanks& sums, const ReciprocalRanks& more) {
  for (size_t c = 0; c < sums.size(); ++c) {
    for (size_t r = 0; r < sums[c].size(); ++r) sums[c][r] += more[c][r];
  }
}

RuleWeights BestOf(const ReciprocalRanks& sums) {
  RuleWeights best;
  double highest = sums[0][0];
  for (size_t c = 0; c < sums.size(); ++c) {
    for (size_t r = 0; r < sums[c].size(); ++r) {
      if (sums[c][r] <= highest) continue;
      highest = sums[c][r];
      best = {kOfRules[r], kOfConstants[c]};
    }
  }
  return best;
}

}  // namespace

absl::StatusOr<std::array<RuleWeights, 2>> ChooseRuleWeights(
    const ModelEvaluation& evaluation) {
  const GraphSnapshot& graph = *evaluation.model.snapshot;
  const auto& rules = evaluation.model.encoder->tables().rules;
  if (!rules || rules->rules().empty() || graph.node_count() > kMostNodes) {
    return std::array<RuleWeights, 2>();
  }
  const std::vector<LinkQuestion> questions = SampleQuestions(
      evaluation.valid, std::clamp<size_t>(kScores / (2 * graph.node_count()),
                                           20, kMostPositives));
  const KnownLinks known = evaluation.Known();
  const PropagationGraph propagation(graph);
  ProgressLine progress("ranking valid links", questions.size(), "questions");
  Mutex mutex;
  absl::Status first_error;
  ReciprocalRanks sums[2] = {};  // by direction
  const auto threads = static_cast<size_t>(std::max(evaluation.threads, 1));
  const size_t stretch = (questions.size() + threads - 1) / threads;
  ParallelFor(questions.size(), std::max<size_t>(stretch, 1),
              evaluation.threads, [&](size_t begin, size_t end, int) {
                CandidateRanker ranker(propagation, *evaluation.model.encoder,
                                       *evaluation.model.scorer, {});
                ReciprocalRanks own[2] = {};
                absl::Status status;
                for (size_t i = begin; i < end && status.ok(); ++i) {
                  status =
                      AskOne(evaluation, known, questions[i], ranker,
                             own[static_cast<size_t>(questions[i].direction)]);
                  progress.Advance(1);
                }
                MutexLock lock(&mutex);
                first_error.Update(status);
                for (size_t known_end = 0; known_end < 2; ++known_end) {
                  AddTo(sums[known_end], own[known_end]);
                }
              });
  SLICE_RETURN_IF_ERROR(first_error);
  progress.Finish();
  return std::array<RuleWeights, 2>{BestOf(sums[0]), BestOf(sums[1])};
}

}  // namespace slice
