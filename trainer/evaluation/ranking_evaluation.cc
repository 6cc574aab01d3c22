// A question, which may have several answers, is asked in these steps:
//   1. its candidates are collected: the nodes of the types that the relation
//      has at the wanted end, without those that train links to the known end;
//   2. CandidateRanker::ScoreAll orders all candidates; the scorers that read
//      contexts score the best `rerank` of these, as a server does;
//   3. candidates that answer truly by valid or test are left out, and the rank
//      of each answer is added to the metrics of every method, by direction.
#include "trainer/evaluation/ranking_evaluation.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/status_macros.h"
#include "context/end_feature_cache.h"
#include "context/path_sum_propagation.h"
#include "model/candidate_ranker.h"
#include "trainer/evaluation/baselines.h"
#include "trainer/evaluation/grouped_mean.h"
#include "trainer/evaluation/question_threads.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

// The ranks that one method gives, by direction.
struct MethodMetrics {
  RankingMetrics by_direction[2];

  void Merge(const MethodMetrics& other) {
    for (int d = 0; d < 2; ++d) by_direction[d].Merge(other.by_direction[d]);
  }
  RankingMetrics Both() const {
    RankingMetrics both = by_direction[0];
    both.Merge(by_direction[1]);
    return both;
  }
};

// What a scorer gains over the structural one, question by question.
class PairedGain {
 public:
  void Add(const Link& link, double gain) {
    gains_.push_back(gain);
    links_.push_back(SampleHash(link));
  }
  void Merge(const PairedGain& other) {
    gains_.insert(gains_.end(), other.gains_.begin(), other.gains_.end());
    links_.insert(links_.end(), other.links_.begin(), other.links_.end());
  }
  void WriteTo(RankingFigures& figures) const {
    // The two questions about a link are one draw.
    const GroupedMean mean = MeanByGroup(gains_, links_);
    figures.over_structural = mean.mean;
    figures.over_structural_error = mean.error;
  }

 private:
  std::vector<double> gains_;
  std::vector<uint64_t> links_;  // parallel: whose gain it is
};

struct Measured {
  MethodMetrics scorers[kScorers], three_paths, popularity;
  PairedGain gains[kScorers];
  double milliseconds = 0;  // of a question, with all threads at work

  void Merge(const Measured& other) {
    for (int s = 0; s < kScorers; ++s) {
      scorers[s].Merge(other.scorers[s]);
      gains[s].Merge(other.gains[s]);
    }
    three_paths.Merge(other.three_paths);
    popularity.Merge(other.popularity);
  }
};

// What all questions of a ranking share.
struct Shared {
  const ModelEvaluation& evaluation;
  const KnownLinks& known;
  const PropagationGraph& graph;
  EndFeatureCache& ends;
  size_t rerank = 0;
};

// Asks one question after the other and gathers the ranks that every method
// gives. Thread-compatible: there is one per thread.
class Asker {
 public:
  explicit Asker(const Shared& shared)
      : snapshot_(*shared.evaluation.model.snapshot),
        reranks_(shared.evaluation.reading.scorer != Scorer::kStructural),
        known_(shared.known),
        rerank_(shared.rerank),
        ranker_(shared.graph, *shared.evaluation.model.encoder,
                *shared.evaluation.model.scorer,
                {.weights = shared.evaluation.reading.rule_weights,
                 .ends = &shared.ends}) {}

  // `same` are equal questions, and `fitting` their SlotCandidates().
  absl::Status Ask(std::span<const LinkQuestion> same,
                   std::span<const NodeId> fitting) {
    const EndQuestion question = same.front().question();
    candidates_ = CollectCandidates(snapshot_, known_, same, fitting);
    SLICE_ASSIGN_OR_RETURN(const CandidateScores scores,
                           ranker_.ScoreAll(question, candidates_.nodes));
    SLICE_ASSIGN_OR_RETURN(
        const FirstCandidates first,
        ranker_.PredictFirst(question, candidates_.nodes, scores,
                             reranks_ ? rerank_ : 0));
    std::vector<double> ranks[kScorers];
    for (int s = 0; s < kScorers; ++s) {
      ranks[s] =
          AddRanks(question, MergeScores(scores, first, static_cast<Scorer>(s)),
                   measured_.scorers[s]);
    }
    const auto& structural = ranks[static_cast<int>(Scorer::kStructural)];
    for (int s = 0; s < kScorers; ++s) {
      for (size_t i = 0; i < same.size(); ++i) {
        measured_.gains[s].Add(same[i].link,
                               1 / ranks[s][i] - 1 / structural[i]);
      }
    }
    AddBaselines(question);
    return absl::OkStatus();
  }

  const Measured& measured() const { return measured_; }

 private:
  // Returns the ranks of the answers.
  std::vector<double> AddRanks(const EndQuestion& question,
                               const std::vector<float>& scores,
                               MethodMetrics& metrics) const {
    const std::vector<double> ranks = candidates_.RanksOfAnswers(scores);
    for (const double rank : ranks) {
      metrics.by_direction[static_cast<int>(question.direction)].Add(rank);
    }
    return ranks;
  }

  // Ranks by popularity and by 3-paths, with all links between the ends hidden.
  // Of nodes with equal 3-path weights, the more popular one comes first.
  void AddBaselines(const EndQuestion& question) {
    std::vector<float> popularity, three_paths;
    CountLinks(question);
    for (const NodeId node : candidates_.nodes) {
      const double links = links_[node];
      popularity.push_back(static_cast<float>(links));
      three_paths.push_back(
          static_cast<float>(ranker_.paths().At(node).three.all.weight +
                             1e-9 * links / (1 + links)));
    }
    AddRanks(question, popularity, measured_.popularity);
    AddRanks(question, three_paths, measured_.three_paths);
  }

  // Sets links_, unless it is that of the question before.
  void CountLinks(const EndQuestion& question) {
    const std::pair slot(question.relation, question.direction);
    if (counted_ == slot) return;
    counted_ = slot;
    links_.resize(snapshot_.node_count());
    for (NodeId node = 0; node < links_.size(); ++node) {
      links_[node] = static_cast<double>(
          snapshot_.Neighbors(node, slot.first, Reverse(slot.second)).size());
    }
  }

  const GraphSnapshot& snapshot_;
  const bool reranks_;  // the model has scorers with contexts
  const KnownLinks& known_;
  const size_t rerank_;
  CandidateRanker ranker_;
  QuestionCandidates candidates_;
  // The links of each node that a question of this relation and direction asks
  // about, at the wanted end: [nodes].
  std::vector<double> links_;
  std::optional<std::pair<RelationId, Direction>> counted_;
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

RankingTable MakeTable(const Measured& measured, size_t questions,
                       const ModelEvaluation& evaluation, size_t rerank) {
  const Scorer answering = evaluation.reading.scorer;
  const uint64_t links = CountPositives(evaluation.test);
  RankingTable table;
  table.title = "Filtered ranking of test links";
  table.milliseconds = measured.milliseconds;
  table.note = absl::StrCat(
      questions,
      " questions: half ask for the target, half for the source. The "
      "candidates are all nodes of the types that the relation has at that "
      "end. slice answers with its second output: the structural scorer scores "
      "all candidates, the other scorers score the first ",
      rerank, " again.",
      questions == 0 ? ""
                     : absl::StrFormat(" Mean time of a question: %.1f ms.",
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
    if (scorer == Scorer::kStructural) continue;
    for (RankingRow& row : table.rows) {
      if (row.key != key) continue;
      measured.gains[static_cast<size_t>(scorer)].WriteTo(row.figures);
      absl::StrAppendFormat(
          &table.note, " Reciprocal ranks, %s minus structural: %+.4f ± %.4f.",
          key, row.figures.over_structural, row.figures.over_structural_error);
    }
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
  EndFeatureCache ends(*evaluation.model.snapshot, *evaluation.model.encoder,
                       0);
  const Shared shared = {evaluation, known, graph, ends, options.rerank};
  std::vector<std::unique_ptr<Asker>> askers;  // by thread
  for (int i = 0; i < std::max(1, evaluation.threads); ++i) {
    askers.push_back(std::make_unique<Asker>(shared));
  }
  const absl::Time start = absl::Now();
  SLICE_RETURN_IF_ERROR(
      AskOnThreads(graph.snapshot(), ends, EndQuestionsOf(questions),
                   static_cast<int>(askers.size()), "ranking",
                   [&](std::span<const size_t> same,
                       std::span<const NodeId> fitting, int worker) {
                     return askers[static_cast<size_t>(worker)]->Ask(
                         QuestionsAt(questions, same), fitting);
                   }));
  Measured measured;
  for (const auto& asker : askers) measured.Merge(asker->measured());
  measured.milliseconds =
      absl::ToDoubleMilliseconds(absl::Now() - start) /
      static_cast<double>(std::max<size_t>(1, questions.size()));
  return MakeTable(measured, questions.size(), evaluation, options.rerank);
}

}  // namespace slice
