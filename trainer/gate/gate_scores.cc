// Both bundles answer the same links and rank the same nodes, each by the ids
// of its own graph:
//   1. links are scored as the server scores them, and the logits become
//      log-odds by the calibration of their relation, so that answers about
//      several relations have one order;
//   2. a question is ranked as RecommendLinks ranks: CandidateRanker::ScoreAll
//      orders all nodes, then the answering scorer orders the first ones again.
#include "trainer/gate/gate_scores.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "common/progress.h"
#include "common/status_macros.h"
#include "context/slot_candidates.h"
#include "model/candidate_ranker.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

// How many of the best nodes the answering scorer orders again, as the server
// does.
constexpr size_t kRerank = 200;

std::optional<Link> OnSide(const GateLink& link, GateSide side) {
  return side == GateSide::kCurrent ? link.current : link.candidate;
}

const char* Title(GateSide side) {
  return side == GateSide::kCurrent ? "current bundle" : "candidate";
}

float LogOddsOf(const Prediction& prediction, const OutputReading& reading) {
  const RelationId relation = prediction.relation;
  return static_cast<float>(
      reading.of(Question::kPlausible, relation)
          .LogOddsOf(prediction.Logit(reading.scorer, Question::kPlausible),
                     reading.SchemaLogOdds(relation, prediction.flags)));
}

// Finds the nodes that both bundles rank, by current ids.
class RivalFinder {
 public:
  RivalFinder(const GateLinks& links, const SharedNames& names)
      : names_(names), positives_(links.Positives()) {}

  // The answer is not among them.
  std::vector<NodeId> RivalsOf(const GateLink& link, Direction direction) {
    const LinkQuestion asked{link.current, direction};
    std::vector<NodeId> rivals;
    for (const NodeId node : Fitting(link, direction)) {
      const Link rival = asked.With(node);
      if (node != asked.answer() && !names_.EitherHas(rival) &&
          !std::binary_search(positives_.begin(), positives_.end(), rival)) {
        rivals.push_back(node);
      }
    }
    return rivals;
  }

 private:
  // The shared nodes of fitting types. A link that the candidate cannot name is
  // judged by the types of the current graph.
  const std::vector<NodeId>& Fitting(const GateLink& link,
                                     Direction direction) {
    const bool in_both = link.candidate.has_value();
    const auto [at, is_new] =
        lists_.try_emplace({link.current.relation, direction, in_both});
    if (!is_new) return at->second;
    std::vector<NodeId> fitting;  // by ids of the candidate
    if (in_both) {
      fitting = SlotCandidates(names_.candidate(), link.candidate->relation,
                               direction);
    }
    for (const NodeId node :
         SlotCandidates(names_.current(), link.current.relation, direction)) {
      const auto other = names_.Node(node);
      if (other && (!in_both || std::binary_search(fitting.begin(),
                                                   fitting.end(), *other))) {
        at->second.push_back(node);
      }
    }
    return at->second;
  }

  const SharedNames& names_;
  const std::vector<Link> positives_;
  // By relation, direction, and whether both bundles can name the link.
  std::map<std::tuple<RelationId, Direction, bool>, std::vector<NodeId>> lists_;
};

// Ranks the answers of one bundle.
class QuestionRanker {
 public:
  QuestionRanker(const OfflineModel& model, GateSide side,
                 const SharedNames& names, int threads)
      : reading_(model.bundle().manifest().reading),
        side_(side),
        names_(names),
        graph_(model.graph()),
        ranker_(graph_, *model.scoring().encoder, *model.scoring().scorer,
                {.weights = reading_.rule_weights, .threads = threads}) {}

  absl::StatusOr<float> ReciprocalRank(const GateQuestion& question,
                                       const Link& link,
                                       const std::vector<NodeId>& rivals) {
    const LinkQuestion asked{link, question.direction};
    std::vector<NodeId> nodes = {asked.answer()};
    for (const NodeId rival : rivals) {
      nodes.push_back(side_ == GateSide::kCurrent ? rival
                                                  : *names_.Node(rival));
    }
    SLICE_ASSIGN_OR_RETURN(const CandidateScores scores,
                           ranker_.ScoreAll(asked.question(), nodes));
    SLICE_ASSIGN_OR_RETURN(
        const FirstCandidates first,
        ranker_.PredictFirst(
            asked.question(), nodes, scores,
            reading_.scorer == Scorer::kStructural ? 0 : kRerank));
    const std::vector<float> merged =
        MergeScores(scores, first, reading_.scorer);
    return static_cast<float>(
        1 / RankAmong(merged[0], std::span(merged).subspan(1)));
  }

 private:
  const OutputReading reading_;
  const GateSide side_;
  const SharedNames& names_;
  const PropagationGraph graph_;
  CandidateRanker ranker_;
};

}  // namespace

absl::StatusOr<std::vector<float>> ScoreGateLinks(const OfflineModel& model,
                                                  GateSide side,
                                                  const GateLinks& links,
                                                  int threads) {
  std::vector<uint32_t> positions;
  std::vector<Link> asked, made_from;
  for (uint32_t i = 0; i < links.links.size(); ++i) {
    const auto link = OnSide(links.links[i], side);
    if (!link) continue;
    positions.push_back(i);
    asked.push_back(*link);
    made_from.push_back(
        OnSide(links.links[links.links[i].made_from], side).value_or(*link));
  }
  SLICE_ASSIGN_OR_RETURN(
      const ScoredLinks scored,
      ScoreManyLinks(model.scoring(), asked, made_from, threads, Title(side)));
  const OutputReading& reading = model.bundle().manifest().reading;
  std::vector<float> scores(links.links.size(),
                            -std::numeric_limits<float>::infinity());
  for (size_t i = 0; i < positions.size(); ++i) {
    scores[positions[i]] = LogOddsOf(scored.predictions[i], reading);
  }
  return scores;
}

std::vector<GateQuestion> MakeGateQuestions(const GateLinks& links,
                                            size_t count) {
  std::vector<LabelledLink> rows;
  std::map<Link, uint32_t> position;
  for (uint32_t i = 0; i < links.links.size(); ++i) {
    if (!links.links[i].positive) continue;
    rows.push_back({links.links[i].current, true});
    position.emplace(links.links[i].current, i);
  }
  std::vector<GateQuestion> questions;
  for (const LinkQuestion& asked : SampleQuestions(rows, count)) {
    questions.push_back({position.at(asked.link), asked.direction});
  }
  return questions;
}

absl::StatusOr<std::vector<float>> RankGateQuestions(
    const OfflineModel& model, GateSide side,
    const std::vector<GateQuestion>& questions, const GateLinks& links,
    const SharedNames& names, int threads) {
  QuestionRanker ranker(model, side, names, threads);
  RivalFinder rivals(links, names);
  ProgressLine progress(std::string("ranking by the ") + Title(side),
                        questions.size(), "questions");
  std::vector<float> ranks;
  for (const GateQuestion& question : questions) {
    const GateLink& asked = links.links[question.link];
    const auto link = OnSide(asked, side);
    float reciprocal = 0;
    if (link) {
      SLICE_ASSIGN_OR_RETURN(
          reciprocal,
          ranker.ReciprocalRank(question, *link,
                                rivals.RivalsOf(asked, question.direction)));
    }
    ranks.push_back(reciprocal);
    progress.Advance(1);
  }
  progress.Finish();
  return ranks;
}

}  // namespace slice
