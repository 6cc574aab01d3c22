#include "trainer/evaluation/knowledge_fusion.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/evaluation/ranking_trials.h"
#include "trainer/evaluation/relation_weights.h"
#include "trainer/platt_scaling.h"
#include "trainer/softplus.h"

namespace slice {
namespace {

// The center of a relation with n rows counts n / (n + this).
constexpr double kCenterRows = 10;

// The rows of valid that decide the weights of a question. Among type-matched
// targets alone popularity is evidence, and the embedding knows it; among
// degree-matched ones it is none.
std::vector<uint32_t> RowsOf(Question question, const EvaluationLinks& links) {
  if (question == Question::kPlausible) {
    return links.PositionsOf(NegativeSet::kPublished);
  }
  const auto typed = links.PositionsOf(NegativeSet::kTyped);
  const auto of_degree = links.PositionsOf(NegativeSet::kDegreeMatched);
  std::vector<uint32_t> rows;
  std::ranges::set_union(typed, of_degree, std::back_inserter(rows));
  return rows;
}

std::vector<LabelledLink> LinksAt(std::span<const uint32_t> positions,
                                  const EvaluationLinks& links) {
  std::vector<LabelledLink> rows;
  for (const uint32_t i : positions) {
    rows.push_back({links.links[i], links.labels[i] != 0});
  }
  return rows;
}

// Minus the log loss of each row that decides `question`.
WeightTrials TrialsOf(Question question, const ScoredSplit& valid,
                      const KnowledgeVectors& vectors,
                      std::span<const float> centers) {
  const std::vector<uint32_t> positions = RowsOf(question, valid.links);
  const std::vector<float>& logits = valid.model().of(question);
  std::vector<double> added;
  std::vector<uint8_t> labels;
  WeightTrials trials{.weights = kKnowledgeWeights.size()};
  for (const uint32_t i : positions) {
    const Link& link = valid.links.links[i];
    added.push_back(vectors.CenteredScore(link, centers[link.relation]));
    labels.push_back(valid.links.labels[i]);
    trials.relations.push_back(link.relation);
    trials.groups.push_back(SampleHash(link));
  }
  trials.gains.resize(positions.size() * kKnowledgeWeights.size());
  std::vector<double> scores(positions.size());
  for (size_t w = 0; w < kKnowledgeWeights.size(); ++w) {
    for (size_t row = 0; row < positions.size(); ++row) {
      scores[row] = logits[positions[row]] + kKnowledgeWeights[w] * added[row];
    }
    const PlattScaling scaling =
        FitPlatt({scores, {}, labels}, {{},
                                        /*scale_deviation=*/10,
                                        /*offset_deviation=*/100});
    for (size_t row = 0; row < positions.size(); ++row) {
      const double log_odds = scaling.scale * scores[row] + scaling.offset;
      trials.gains[row * kKnowledgeWeights.size() + w] =
          static_cast<float>(-Softplus(labels[row] ? -log_odds : log_odds));
    }
  }
  return trials;
}

}  // namespace

std::vector<float> KnowledgeCenters(std::span<const LabelledLink> rows,
                                    const KnowledgeVectors& vectors,
                                    size_t relation_count) {
  std::vector<double> sums(relation_count), counts(relation_count);
  double sum = 0, count = 0;
  for (const auto& [link, _] : rows) {
    if (!vectors.HasEnds(link)) continue;
    const double score = vectors.Score(link);
    sums[link.relation] += score;
    counts[link.relation] += 1;
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

absl::StatusOr<KnowledgeFusion> FuseKnowledge(const ModelEvaluation& evaluation,
                                              const KnowledgeVectors& vectors,
                                              std::span<const float> ranking) {
  const size_t relations = evaluation.model.snapshot->relation_count();
  SLICE_ASSIGN_OR_RETURN(
      const ScoredSplit valid,
      ScoreValid(evaluation, {NegativeSet::kPublished, NegativeSet::kTyped,
                              NegativeSet::kDegreeMatched}));
  std::vector<std::vector<float>> centers(2);
  for (size_t r = 0; r < relations; ++r) {
    centers[0].push_back(vectors.center(static_cast<RelationId>(r)));
  }
  centers[1] = KnowledgeCenters(
      LinksAt(RowsOf(Question::kAmongKind, valid.links), valid.links), vectors,
      relations);
  std::vector<RelationWeightChoice> choices;
  for (const Question question : {Question::kPlausible, Question::kAmongKind}) {
    choices.push_back(ChooseRelationWeights(
        TrialsOf(question, valid, vectors, centers[choices.size()]),
        relations));
  }
  KnowledgeFusion fusion;
  const auto rows = static_cast<int64_t>(relations);
  fusion.terms.shape = {rows, 1 + KnowledgeVectors::kQuestions};
  fusion.among_kind_and_ranking.shape = {rows, 2};
  for (size_t r = 0; r < relations; ++r) {
    fusion.terms.values.push_back(centers[0][r]);
    for (const RelationWeightChoice& choice : choices) {
      const float weight =
          choice.IsUsed() ? kKnowledgeWeights[choice.by_relation[r]] : 0;
      fusion.terms.values.push_back(weight);
      fusion.used |= weight > 0;
    }
    const float in_rankings = ranking.empty() ? 0 : ranking[r];
    fusion.among_kind_and_ranking.values.push_back(centers[1][r]);
    fusion.among_kind_and_ranking.values.push_back(in_rankings);
    fusion.used |= in_rankings > 0;
  }
  const auto describe = [](const RelationWeightChoice& choice) {
    return DescribeRelationWeights(choice, kKnowledgeWeights, "log-likelihood");
  };
  fusion.reason = absl::StrCat("plausible: ", describe(choices[0]),
                               "; among kind: ", describe(choices[1]));
  return fusion;
}

}  // namespace slice
