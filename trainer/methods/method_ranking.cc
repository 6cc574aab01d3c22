// One question is ranked in three steps: the method scores all nodes; the true
// answers of the question are marked; and the unmarked nodes that score higher
// than the answer are counted, those that score the same by half. Then the
// marks are cleared, so that a thread reuses one buffer for all its questions.
#include "trainer/methods/method_ranking.h"

#include <algorithm>
#include <numeric>

#include "common/parallel.h"
#include "common/progress.h"

namespace slice {
namespace {

constexpr size_t kQuestionsAtOnce = 16;

size_t SideOf(Direction direction) { return static_cast<size_t>(direction); }

}  // namespace

MethodRanking::MethodRanking(
    const GraphSnapshot& snapshot,
    std::span<const std::span<const LabelledLink>> held_out)
    : snapshot_(&snapshot) {
  for (const std::span<const LabelledLink> rows : held_out) {
    for (const auto& [link, positive] : rows) {
      if (!positive) continue;
      known_[SideOf(Direction::kOut)].push_back(
          {link.source, link.relation, link.target});
      known_[SideOf(Direction::kIn)].push_back(
          {link.target, link.relation, link.source});
    }
  }
  for (auto& side : known_) std::sort(side.begin(), side.end());
}

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
  const std::vector<Known>& known = known_[SideOf(end_question.direction)];
  const Known first{end_question.anchor, end_question.relation, 0};
  const auto begin = std::lower_bound(known.begin(), known.end(), first);
  auto end = begin;
  for (; end != known.end() && end->anchor == end_question.anchor &&
         end->relation == end_question.relation;
       ++end) {
    is_true[end->answer] = 1;
  }
  const float score = scores[question.answer()];
  size_t higher = 0, equal = 0;
  for (const NodeId node : nodes) {
    if (is_true[node] || node == question.answer()) continue;
    higher += scores[node] > score ? 1 : 0;
    equal += scores[node] == score ? 1 : 0;
  }
  for (const NodeId node : in_train) is_true[node] = 0;
  for (auto it = begin; it != end; ++it) is_true[it->answer] = 0;
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
