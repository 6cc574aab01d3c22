// Each question has its trials: for every row of valid, how good the answer
// would be with each weight of a grid. trainer/evaluation/relation_weights.h
// chooses by them. The rows of "plausible" are the published rows, those of
// "among kind" are ranking questions in both directions.
#include "trainer/evaluation/knowledge_fusion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "context/end_feature_cache.h"
#include "model/candidate_ranker.h"
#include "trainer/evaluation/question_threads.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/evaluation/relation_weights.h"
#include "trainer/evaluation/rule_weights.h"
#include "trainer/platt_scaling.h"

namespace slice {
namespace {

constexpr std::array<float, 11> kWeights = {
    0, 0.05f, 0.1f, 0.2f, 0.3f, 0.5f, 0.75f, 1, 1.5f, 2, 3};
// A gain must be this many standard errors.
constexpr double kClear = 2;
// The center of a relation with n rows counts n / (n + this).
constexpr double kCenterRows = 10;
// Weights by relation need more questions than the weights of rules.
constexpr size_t kRankingFactor = 6;

// The mean score of the published rows of each relation, near that of all.
std::vector<float> Centers(std::span<const LabelledLink> rows,
                           const KnowledgeVectors& vectors,
                           size_t relation_count) {
  std::vector<double> sums(relation_count), counts(relation_count);
  double sum = 0, count = 0;
  for (const LabelledLink& row : rows) {
    const double score = vectors.Score(row.link);
    sums[row.link.relation] += score;
    counts[row.link.relation] += 1;
    sum += score;
    count += 1;
  }
  const double mean = count > 0 ? sum / count : 0;
  std::vector<float> centers;
  for (size_t r = 0; r < relation_count; ++r) {
    centers.push_back(static_cast<float>((sums[r] + kCenterRows * mean) /
                                         (counts[r] + kCenterRows)));
  }
  return centers;
}

// For "plausible": minus the log loss of each published row.
absl::StatusOr<WeightTrials> PlausibleTrials(const ModelEvaluation& evaluation,
                                             const KnowledgeVectors& vectors,
                                             std::span<const float> centers) {
  SLICE_ASSIGN_OR_RETURN(const ScoredSplit valid, ScoreValid(evaluation));
  const auto positions = valid.links.PositionsOf(NegativeSet::kPublished);
  const std::vector<float>& logits = valid.model().of(Question::kPlausible);
  std::vector<double> added;
  std::vector<uint8_t> labels;
  WeightTrials trials{.weights = kWeights.size()};
  for (const uint32_t i : positions) {
    const Link& link = valid.links.links[i];
    added.push_back(vectors.Has(link.source) && vectors.Has(link.target)
                        ? vectors.Score(link) - centers[link.relation]
                        : 0);
    labels.push_back(valid.links.labels[i]);
    trials.relations.push_back(link.relation);
    trials.groups.push_back(SampleHash(link));
  }
  trials.gains.resize(positions.size() * kWeights.size());
  std::vector<double> scores(positions.size());
  for (size_t w = 0; w < kWeights.size(); ++w) {
    for (size_t row = 0; row < positions.size(); ++row) {
      scores[row] = logits[positions[row]] + kWeights[w] * added[row];
    }
    const PlattScaling scaling =
        FitPlatt({scores, {}, labels}, {{},
                                        /*scale_deviation=*/10,
                                        /*offset_deviation=*/100});
    for (size_t row = 0; row < positions.size(); ++row) {
      const double log_odds = scaling.scale * scores[row] + scaling.offset;
      trials.gains[row * kWeights.size() + w] = static_cast<float>(
          -std::log1p(std::exp(labels[row] ? -log_odds : log_odds)));
    }
  }
  return trials;
}

// For "among kind": the reciprocal ranks of the answers to valid questions.
class RankTrials {
 public:
  RankTrials(const ModelEvaluation& evaluation, const KnowledgeVectors& vectors,
             const std::array<RuleWeights, 2>& rules)
      : graph_(*evaluation.model.snapshot),
        vectors_(vectors),
        known_(evaluation.KnownToTuning()),
        propagation_(graph_),
        ends_(graph_, *evaluation.model.encoder, 0) {
    for (int i = 0; i < std::max(1, evaluation.threads); ++i) {
      rankers_.push_back(std::make_unique<CandidateRanker>(
          propagation_, *evaluation.model.encoder, *evaluation.model.scorer,
          CandidateRankerOptions{.weights = rules, .ends = &ends_}));
    }
  }

  absl::StatusOr<WeightTrials> Ask(std::span<const LinkQuestion> questions) {
    WeightTrials trials{.weights = kWeights.size()};
    trials.gains.resize(questions.size() * kWeights.size());
    for (const LinkQuestion& question : questions) {
      trials.relations.push_back(question.link.relation);
      trials.groups.push_back(SampleHash(question.link));
    }
    SLICE_RETURN_IF_ERROR(AskOnThreads(
        graph_, ends_, EndQuestionsOf(questions),
        static_cast<int>(rankers_.size()), "ranking valid with the embedding",
        [&](size_t i, std::span<const NodeId> fitting, int worker) {
          return Rank(questions[i], fitting,
                      *rankers_[static_cast<size_t>(worker)],
                      std::span(trials.gains)
                          .subspan(i * kWeights.size(), kWeights.size()));
        }));
    return trials;
  }

 private:
  absl::Status Rank(const LinkQuestion& question,
                    std::span<const NodeId> fitting, CandidateRanker& ranker,
                    std::span<float> reciprocal) const {
    const QuestionCandidates candidates =
        CollectCandidates(graph_, known_, question, fitting);
    SLICE_ASSIGN_OR_RETURN(
        const CandidateScores plain,
        ranker.ScoreAll(question.question(), candidates.nodes));
    std::vector<float> point, added(candidates.nodes.size()),
        scores(candidates.nodes.size());
    vectors_.Prepare(question.question(), point);
    vectors_.ScoreEach(point, candidates.nodes, added);
    for (size_t w = 0; w < kWeights.size(); ++w) {
      for (size_t i = 0; i < scores.size(); ++i) {
        scores[i] = plain.scores[i] + kWeights[w] * added[i];
      }
      reciprocal[w] = static_cast<float>(1 / candidates.RankOfAnswer(scores));
    }
    return absl::OkStatus();
  }

  const GraphSnapshot& graph_;
  const KnowledgeVectors& vectors_;
  const KnownLinks known_;
  const PropagationGraph propagation_;
  EndFeatureCache ends_;
  std::vector<std::unique_ptr<CandidateRanker>> rankers_;  // by thread
};

bool IsClear(const RelationWeightChoice& choice) {
  return choice.gain > kClear * choice.error && choice.gain > 0;
}

std::string Describe(const char* question, const char* measure,
                     const RelationWeightChoice& choice) {
  if (!IsClear(choice)) {
    return absl::StrFormat(
        "%s: not used, as the gain in %s, %+.4f ± %.4f, is not clear", question,
        measure, choice.gain, choice.error);
  }
  return absl::StrFormat(
      "%s: used with weight %g%s, as it gains %+.4f ± %.4f in %s", question,
      kWeights[choice.common],
      std::isinf(choice.shrinkage) ? " for all relations"
                                   : " and near it for each relation",
      choice.gain, choice.error, measure);
}

}  // namespace

absl::StatusOr<KnowledgeFusion> FuseKnowledge(const ModelEvaluation& evaluation,
                                              const KnowledgeVectors& vectors) {
  const size_t relations = evaluation.model.snapshot->relation_count();
  const std::vector<float> centers =
      Centers(evaluation.valid, vectors, relations);
  SLICE_ASSIGN_OR_RETURN(const WeightTrials plausible,
                         PlausibleTrials(evaluation, vectors, centers));
  SLICE_ASSIGN_OR_RETURN(const RuleWeightChoice rules,
                         ChooseRuleWeights(evaluation));
  EvaluationLimits limits = evaluation.limits;
  limits.ranking_scores *= kRankingFactor;
  std::vector<LinkQuestion> questions;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const auto some = AffordableQuestions(*evaluation.model.snapshot,
                                          evaluation.valid, direction, limits);
    questions.insert(questions.end(), some.begin(), some.end());
  }
  RankTrials ranks(evaluation, vectors, rules.weights);
  SLICE_ASSIGN_OR_RETURN(const WeightTrials among_kind, ranks.Ask(questions));
  const std::array<RelationWeightChoice, 2> choices = {
      ChooseRelationWeights(plausible, relations),
      ChooseRelationWeights(among_kind, relations)};
  KnowledgeFusion fusion;
  fusion.terms.shape = {static_cast<int64_t>(relations),
                        1 + KnowledgeVectors::kQuestions};
  for (size_t r = 0; r < relations; ++r) {
    fusion.terms.values.push_back(centers[r]);
    for (const RelationWeightChoice& choice : choices) {
      fusion.terms.values.push_back(
          IsClear(choice) ? kWeights[choice.by_relation[r]] : 0);
    }
  }
  for (const RelationWeightChoice& choice : choices) {
    fusion.used |= IsClear(choice) && choice.common > 0;
  }
  fusion.reason =
      absl::StrCat(Describe("plausible", "log-likelihood", choices[0]), "; ",
                   Describe("among kind", "MRR", choices[1]));
  return fusion;
}

}  // namespace slice
