// A question is asked in these steps:
//   1. its candidates are collected: the nodes of the types that the relation
//      has at the wanted end, without those that train links to the known end;
//   2. the structural scorer scores all candidates; the scorers that read
//      contexts score the best `rerank` of these; this part is timed, as it is
//      what a server does;
//   3. candidates that answer truly by valid or test are left out, and the rank
//      of the answer is added to the metrics of every method, by direction.
#include "trainer/evaluation/ranking_evaluation.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/status_macros.h"
#include "context/path_sum_propagation.h"
#include "model/candidate_ranker.h"
#include "trainer/evaluation/baselines.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

// The ranks that one method gives, by direction.
struct MethodMetrics {
  RankingMetrics by_direction[2];

  RankingMetrics Both() const {
    RankingMetrics both = by_direction[0];
    both.Merge(by_direction[1]);
    return both;
  }
};

struct Measured {
  MethodMetrics scorers[kScorers], three_paths, popularity;
  std::vector<double> milliseconds;
};

// Asks one question after the other, each with all threads, and gathers the
// ranks that every method gives.
class Asker {
 public:
  Asker(const ModelEvaluation& evaluation, const KnownLinks& known,
        const PropagationGraph& graph, size_t rerank)
      : snapshot_(*evaluation.model.snapshot),
        reranks_(evaluation.reading.scorer != Scorer::kStructural),
        known_(known),
        rerank_(rerank),
        ranker_(graph, *evaluation.model.encoder, *evaluation.model.scorer,
                {.weights = evaluation.reading.rule_weights,
                 .threads = evaluation.threads}) {}

  absl::Status Ask(const LinkQuestion& question) {
    candidates_ = CollectCandidates(snapshot_, known_, question);
    const absl::Time start = absl::Now();
    SLICE_ASSIGN_OR_RETURN(
        const CandidateScores scores,
        ranker_.ScoreAll(question.question(), candidates_.nodes));
    SLICE_ASSIGN_OR_RETURN(
        const FirstCandidates first,
        ranker_.PredictFirst(question.question(), candidates_.nodes, scores,
                             reranks_ ? rerank_ : 0));
    measured_.milliseconds.push_back(
        absl::ToDoubleMilliseconds(absl::Now() - start));
    for (int s = 0; s < kScorers; ++s) {
      AddRank(question, MergeScores(scores, first, static_cast<Scorer>(s)),
              measured_.scorers[s]);
    }
    AddBaselines(question);
    return absl::OkStatus();
  }

  const Measured& measured() const { return measured_; }

 private:
  void AddRank(const LinkQuestion& question, const std::vector<float>& scores,
               MethodMetrics& metrics) const {
    metrics.by_direction[static_cast<int>(question.direction)].Add(
        candidates_.RankOfAnswer(scores));
  }

  // Ranks by popularity and by 3-paths, with all links between the ends hidden.
  // Of nodes with equal 3-path weights, the more popular one comes first.
  void AddBaselines(const LinkQuestion& question) {
    std::vector<float> popularity, three_paths;
    for (const NodeId node : candidates_.nodes) {
      const double links =
          static_cast<double>(snapshot_
                                  .Neighbors(node, question.link.relation,
                                             Reverse(question.direction))
                                  .size());
      popularity.push_back(static_cast<float>(links));
      three_paths.push_back(
          static_cast<float>(ranker_.paths().At(node).three.all.weight +
                             1e-9 * links / (1 + links)));
    }
    AddRank(question, popularity, measured_.popularity);
    AddRank(question, three_paths, measured_.three_paths);
  }

  const GraphSnapshot& snapshot_;
  const bool reranks_;  // the model has scorers with contexts
  const KnownLinks& known_;
  const size_t rerank_;
  CandidateRanker ranker_;
  QuestionCandidates candidates_;
  Measured measured_;
};

// Whose ranks a row shows.
struct RankedBy {
  std::string key, method;
  bool is_model = false;
  bool by_direction = false;  // also a row for targets and one for sources
};

// `links` is how many test links there are, each of which makes two questions.
void AddRows(const RankedBy& by, const MethodMetrics& metrics, uint64_t links,
             RankingTable& table) {
  const auto add = [&](const char* key, const char* name,
                       const RankingMetrics& ranks, uint64_t of) {
    table.rows.push_back({absl::StrCat(by.key, key),
                          absl::StrCat(by.method, name),
                          MakeRankingFigures(ranks, of), by.is_model});
  };
  add("", "", metrics.Both(), 2 * links);
  if (!by.by_direction) return;
  add(".target", ", targets", metrics.by_direction[0], links);
  add(".source", ", sources", metrics.by_direction[1], links);
}

uint64_t CountPositives(std::span<const LabelledLink> rows) {
  return static_cast<uint64_t>(
      std::count_if(rows.begin(), rows.end(),
                    [](const LabelledLink& row) { return row.positive; }));
}

RankingTable MakeTable(Measured measured, const ModelEvaluation& evaluation,
                       size_t rerank) {
  const Scorer answering = evaluation.reading.scorer;
  const uint64_t links = CountPositives(evaluation.test);
  RankingTable table;
  table.title = "Filtered ranking of test links";
  std::vector<double>& times = measured.milliseconds;
  const size_t questions = times.size();
  if (questions > 0) {
    std::nth_element(times.begin(), times.begin() + questions / 2, times.end());
    table.milliseconds = times[questions / 2];
  }
  table.note = absl::StrCat(
      questions,
      " questions: half ask for the target, half for the source. The "
      "candidates are all nodes of the types that the relation has at that "
      "end. slice answers with its second output: the structural scorer scores "
      "all candidates, the other scorers score the first ",
      rerank, " again.",
      questions == 0 ? ""
                     : absl::StrFormat(" Median time of a question: %.1f ms.",
                                       table.milliseconds));
  std::vector<Scorer> order = {answering};
  for (int scorer = 0; scorer < kScorers; ++scorer) {
    const bool measures = answering != Scorer::kStructural ||
                          static_cast<Scorer>(scorer) == Scorer::kStructural;
    if (static_cast<Scorer>(scorer) != answering && measures) {
      order.push_back(static_cast<Scorer>(scorer));
    }
  }
  for (const Scorer scorer : order) {
    const std::string key(ScorerName(scorer));
    AddRows({key, absl::StrCat(evaluation.model_name, ", ", key), true,
             scorer == answering},
            measured.scorers[static_cast<size_t>(scorer)], links, table);
  }
  for (const auto& [baseline, metrics] :
       {std::pair(Baseline::kThreePaths, &measured.three_paths),
        std::pair(Baseline::kPopularity, &measured.popularity)}) {
    AddRows({std::string(BaselineKey(baseline)),
             std::string(BaselineName(baseline))},
            *metrics, links, table);
  }
  return table;
}

}  // namespace

absl::StatusOr<RankingTable> RankTestLinks(const ModelEvaluation& evaluation,
                                           const RankTestOptions& options) {
  const std::vector<LinkQuestion> questions =
      SampleQuestions(evaluation.test, options.positives);
  const KnownLinks known = evaluation.Known();
  const PropagationGraph graph(*evaluation.model.snapshot);
  Asker asker(evaluation, known, graph, options.rerank);
  SLICE_RETURN_IF_ERROR(AskAll(
      questions, "ranking",
      [&asker](const LinkQuestion& question) { return asker.Ask(question); }));
  return MakeTable(asker.measured(), evaluation, options.rerank);
}

}  // namespace slice
