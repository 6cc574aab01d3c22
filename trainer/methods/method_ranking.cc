// One question is ranked in three steps: the method scores all nodes; the true
// answers of the question are marked; and the unmarked nodes that score higher
// than the answer are counted, those that score the same by half. Then the
// marks are cleared, so that a thread reuses one buffer for all its questions.
#include "trainer/methods/method_ranking.h"

#include <numeric>

#include "common/parallel.h"
#include "common/progress.h"

namespace slice {
namespace {

constexpr size_t kQuestionsAtOnce = 16;

}  // namespace

MethodRanking::MethodRanking(
    const GraphSnapshot& snapshot,
    std::span<const std::span<const LabelledLink>> held_out)
    : snapshot_(&snapshot), held_out_(held_out) {}

double MethodRanking::RankOne(const TrainedMethod& method,
                              const LinkQuestion& question,
                              std::span<const NodeId> nodes,
                              std::vector<float>& scores,
                              std::vector<char>& is_true) const {
  const EndQuestion end_question = question.question();
  method.ScoreCandidates(end_question, nodes, scores);
  const auto in_train = snapshot_->Neighbors(
      end_question.anchor, end_question.relation, end_question.direction);
  for (const NodeId node : in_train) is_true[node] = 1;
  const std::vector<NodeId> known = held_out_.AnswersTo(end_question);
  for (const NodeId node : known) is_true[node] = 1;
  const float score = scores[question.answer()];
  size_t higher = 0, equal = 0;
  for (const NodeId node : nodes) {
    if (is_true[node] || node == question.answer()) continue;
    higher += scores[node] <= score ? 0 : 1;  // 1 when either is NaN
    equal += scores[node] == score ? 1 : 0;
  }
  for (const NodeId node : in_train) is_true[node] = 0;
  for (const NodeId node : known) is_true[node] = 0;
  return 1 + static_cast<double>(higher) + static_cast<double>(equal) / 2;
}

std::vector<double> MethodRanking::Rank(const TrainedMethod& method,
                                        std::span<const LinkQuestion> questions,
                                        int threads,
                                        const std::string& title) const {
  const size_t node_count = snapshot_->node_count();
  std::vector<NodeId> nodes(node_count);
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  std::vector<double> ranks(questions.size());
  ProgressLine progress(title, questions.size(), "questions");
  ParallelFor(questions.size(), kQuestionsAtOnce, threads,
              [&](size_t begin, size_t end, int) {
                std::vector<float> scores(node_count);
                std::vector<char> is_true(node_count, 0);
                for (size_t i = begin; i < end; ++i) {
                  ranks[i] =
                      RankOne(method, questions[i], nodes, scores, is_true);
                }
                progress.Advance(end - begin);
              });
  return ranks;
}

RankingMetrics MetricsOf(std::span<const double> ranks) {
  RankingMetrics metrics;
  for (const double rank : ranks) metrics.Add(rank);
  return metrics;
}

double MeanReciprocalRank(const MethodRanking& ranking,
                          const TrainedMethod& method,
                          std::span<const LinkQuestion> questions,
                          int threads) {
  return MetricsOf(ranking.Rank(method, questions, threads, "ranking valid"))
      .MeanReciprocalRank();
}

}  // namespace slice
