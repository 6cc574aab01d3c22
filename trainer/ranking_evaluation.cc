#include "trainer/ranking_evaluation.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "common/mutex.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

using MetricsByScorer = std::array<RankingMetrics, kScorers>;

uint64_t HashOf(const Link& link) {
  return CombineHash(
      CombineHash(CombineHash(kEvaluationSeed, link.source), link.relation),
      link.target);
}

// `count` of the positives, those with the lowest hashes, asked for both ways.
std::vector<LinkQuestion> SampleQuestions(std::span<const LabelledLink> rows,
                                          size_t count) {
  std::vector<Link> links;
  for (const LabelledLink& row : rows) {
    if (row.positive) links.push_back(row.link);
  }
  std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
    return std::pair(HashOf(a), a) < std::pair(HashOf(b), b);
  });
  if (links.size() > count) links.resize(count);
  std::vector<LinkQuestion> questions;
  for (const Link& link : links) {
    questions.push_back({link, Direction::kOut});
    questions.push_back({link, Direction::kIn});
  }
  return questions;
}

// Scores the answer and its rivals; adds its rank by each scorer.
absl::Status RankOne(const ModelEvaluation& evaluation, const KnownLinks& known,
                     const LinkQuestion& question, MetricsByScorer& metrics) {
  const GraphSnapshot& snapshot = *evaluation.model.snapshot;
  std::vector<Link> links = {question.link};
  for (const NodeId node : RankingCandidates(snapshot, question)) {
    const Link link = question.With(node);
    if (node == question.answer() || snapshot.HasLink(link) ||
        known.Contains(link)) {
      continue;
    }
    links.push_back(link);
  }
  SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> predictions,
                         PredictLinks(evaluation.model, links));
  std::vector<float> scores(predictions.size());
  for (int scorer = 0; scorer < kScorers; ++scorer) {
    for (size_t i = 0; i < scores.size(); ++i) {
      scores[i] = predictions[i].Logit(static_cast<Scorer>(scorer),
                                       Question::kAmongKind);
    }
    metrics[scorer].Add(RankAmong(scores[0], std::span(scores).subspan(1)));
  }
  return absl::OkStatus();
}

RankingTable MakeTable(const MetricsByScorer& metrics, Scorer answering,
                       size_t questions) {
  RankingTable table;
  table.title = "Filtered ranking of test links";
  table.note = absl::StrCat(
      questions,
      " questions: half ask for the target, half for the source, among all "
      "nodes of the types in that place. slice answers with its second "
      "output.");
  std::vector<Scorer> order = {answering};
  for (int scorer = 0; scorer < kScorers; ++scorer) {
    if (static_cast<Scorer>(scorer) != answering) {
      order.push_back(static_cast<Scorer>(scorer));
    }
  }
  for (const Scorer scorer : order) {
    const std::string key(ScorerName(scorer));
    table.rows.push_back(
        {key, absl::StrCat("slice, ", key),
         MakeRankingFigures(metrics[static_cast<size_t>(scorer)]), true});
  }
  return table;
}

}  // namespace

Link LinkQuestion::With(NodeId node) const {
  Link other = link;
  (direction == Direction::kOut ? other.target : other.source) = node;
  return other;
}

std::vector<NodeId> RankingCandidates(const GraphSnapshot& snapshot,
                                      const LinkQuestion& question) {
  const Direction slot = Reverse(question.direction);
  std::vector<bool> wanted(snapshot.node_type_count(), false);
  bool any = false;
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    if (snapshot.Neighbors(node, question.link.relation, slot).empty()) {
      continue;
    }
    wanted[snapshot.Type(node)] = any = true;
  }
  std::vector<NodeId> candidates;
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    if (!any || wanted[snapshot.Type(node)]) candidates.push_back(node);
  }
  return candidates;
}

absl::StatusOr<RankingTable> RankTestLinks(const ModelEvaluation& evaluation,
                                           size_t positives) {
  const std::vector<LinkQuestion> questions =
      SampleQuestions(evaluation.test, positives);
  const KnownLinks known = evaluation.Known();
  ProgressLine progress("ranking", questions.size(), "questions");
  Mutex mutex;
  absl::Status first_error;
  MetricsByScorer metrics;
  ParallelFor(questions.size(), 1, evaluation.threads,
              [&](size_t begin, size_t end, int) {
                for (size_t i = begin; i < end; ++i) {
                  MetricsByScorer one;
                  const absl::Status status =
                      RankOne(evaluation, known, questions[i], one);
                  progress.Advance(1);
                  MutexLock lock(&mutex);
                  first_error.Update(status);
                  for (int s = 0; s < kScorers; ++s) metrics[s].Merge(one[s]);
                }
              });
  SLICE_RETURN_IF_ERROR(first_error);
  progress.Finish();
  return MakeTable(metrics, evaluation.reading.scorer, questions.size());
}

}  // namespace slice
