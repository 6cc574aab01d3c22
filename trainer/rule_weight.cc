#include "trainer/rule_weight.h"

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

constexpr std::array<double, 7> kWeights = {0, 0.25, 0.5, 0.75, 1, 1.5, 2};
constexpr size_t kMostNodes = 300000;
constexpr size_t kMostPositives = 200;
constexpr size_t kScores = 4'000'000;  // to be made in all, about

using ReciprocalRanks = std::array<double, kWeights.size()>;  // sums

absl::Status AskOne(const ModelEvaluation& evaluation, const KnownLinks& known,
                    const LinkQuestion& question, CandidateRanker& ranker,
                    ReciprocalRanks& sums) {
  const QuestionCandidates candidates =
      CollectCandidates(*evaluation.model.snapshot, known, question);
  SLICE_ASSIGN_OR_RETURN(
      const CandidateScores unit,
      ranker.ScoreAll(question.question(), candidates.nodes));
  std::vector<float> scores(candidates.nodes.size());
  for (size_t w = 0; w < kWeights.size(); ++w) {
    for (size_t i = 0; i < scores.size(); ++i) {
      scores[i] =
          unit.logits[i] + static_cast<float>(kWeights[w]) * unit.rule_terms[i];
    }
    sums[w] += 1 / candidates.RankOfAnswer(scores);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<double> ChooseRuleWeight(const ModelEvaluation& evaluation) {
  const GraphSnapshot& graph = *evaluation.model.snapshot;
  const auto& rules = evaluation.model.encoder->tables().rules;
  if (!rules || rules->rules().empty() || graph.node_count() > kMostNodes) {
    return 0;
  }
  const std::vector<LinkQuestion> questions = SampleQuestions(
      evaluation.valid, std::clamp<size_t>(kScores / (2 * graph.node_count()),
                                           20, kMostPositives));
  const KnownLinks known = evaluation.Known();
  const PropagationGraph propagation(graph);
  ProgressLine progress("ranking valid links", questions.size(), "questions");
  Mutex mutex;
  absl::Status first_error;
  ReciprocalRanks sums = {};
  const auto threads = static_cast<size_t>(std::max(evaluation.threads, 1));
  const size_t stretch = (questions.size() + threads - 1) / threads;
  ParallelFor(questions.size(), std::max<size_t>(stretch, 1),
              evaluation.threads, [&](size_t begin, size_t end, int) {
                CandidateRanker ranker(propagation, *evaluation.model.encoder,
                                       *evaluation.model.scorer, 1);
                ReciprocalRanks own = {};
                absl::Status status;
                for (size_t i = begin; i < end && status.ok(); ++i) {
                  status = AskOne(evaluation, known, questions[i], ranker, own);
                  progress.Advance(1);
                }
                MutexLock lock(&mutex);
                first_error.Update(status);
                for (size_t w = 0; w < own.size(); ++w) sums[w] += own[w];
              });
  SLICE_RETURN_IF_ERROR(first_error);
  progress.Finish();
  return kWeights[std::max_element(sums.begin(), sums.end()) - sums.begin()];
}

}  // namespace slice
