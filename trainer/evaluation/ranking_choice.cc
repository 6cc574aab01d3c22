#include "trainer/evaluation/ranking_choice.h"

#include <algorithm>
#include <span>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "trainer/evaluation/grouped_mean.h"
#include "trainer/evaluation/ranking_trials.h"
#include "trainer/evaluation/relation_weights.h"

namespace slice {
namespace {

// What is best for one network.
struct BestWeights {
  std::array<RulePlace, 2> rules;  // by direction
  RelationWeightChoice knowledge;

  const RulePlace& RulesOf(const LinkQuestion& question) const {
    return rules[static_cast<size_t>(question.direction)];
  }
};

// The place in the grid with the highest sum of rank scores; of equally good
// places the first. Scores are added in the order of the questions, so that the
// sums do not depend on threads.
RulePlace BestRules(const RankingTrials& trials, Direction direction) {
  RulePlace best;
  double best_sum = 0;
  for (size_t c = 0; c < kConstantWeights.size(); ++c) {
    for (size_t r = 0; r < kRuleWeights.size(); ++r) {
      double sum = 0;
      for (size_t i = 0; i < trials.questions().size(); ++i) {
        if (trials.questions()[i].direction != direction) continue;
        sum += RankScore(trials.At(i, {c, r})[0]);
      }
      if (sum > best_sum) {
        best_sum = sum;
        best = {c, r};
      }
    }
  }
  return best;
}

std::vector<uint64_t> GroupsOf(const RankingTrials& trials) {
  std::vector<uint64_t> groups;
  for (const LinkQuestion& question : trials.questions()) {
    groups.push_back(SampleHash(question.link));
  }
  return groups;
}

BestWeights ChooseWeights(const RankingTrials& trials, size_t relation_count) {
  BestWeights best;
  best.rules = {BestRules(trials, Direction::kOut),
                BestRules(trials, Direction::kIn)};
  WeightTrials knowledge{.weights = trials.knowledge_weights()};
  for (size_t i = 0; i < trials.questions().size(); ++i) {
    const LinkQuestion& question = trials.questions()[i];
    knowledge.relations.push_back(question.link.relation);
    for (const float rank : trials.At(i, best.RulesOf(question))) {
      knowledge.gains.push_back(static_cast<float>(RankScore(rank)));
    }
  }
  knowledge.groups = GroupsOf(trials);
  best.knowledge = ChooseRelationWeights(knowledge, relation_count);
  return best;
}

// The rank of each answer.
std::vector<double> RanksBy(const RankingTrials& trials,
                            const BestWeights& weights) {
  std::vector<double> ranks;
  for (size_t i = 0; i < trials.questions().size(); ++i) {
    const LinkQuestion& question = trials.questions()[i];
    const size_t place =
        weights.knowledge.IsUsed()
            ? weights.knowledge.by_relation[question.link.relation]
            : 0;
    ranks.push_back(trials.At(i, weights.RulesOf(question))[place]);
  }
  return ranks;
}

double MeanReciprocal(std::span<const double> ranks) {
  double sum = 0;
  for (const double rank : ranks) sum += 1 / rank;
  return sum / static_cast<double>(std::max<size_t>(1, ranks.size()));
}

// All ways to rank with one network.
struct Ranked {
  RankingTrials trials;
  BestWeights weights;
  std::vector<double> ranks;
};

absl::StatusOr<Ranked> RankWith(const ModelEvaluation& evaluation,
                                const BatchScorer& scorer,
                                const KnowledgeVectors* vectors,
                                const std::vector<LinkQuestion>& questions) {
  SLICE_ASSIGN_OR_RETURN(RankingTrials trials,
                         TryRankings(evaluation, scorer, vectors, questions));
  BestWeights weights =
      ChooseWeights(trials, evaluation.model.snapshot->relation_count());
  std::vector<double> ranks = RanksBy(trials, weights);
  return Ranked{std::move(trials), std::move(weights), std::move(ranks)};
}

void Take(const Ranked& ranked, bool has_knowledge, RankingChoice& choice) {
  for (size_t d = 0; d < 2; ++d) {
    const RulePlace& place = ranked.weights.rules[d];
    choice.rule_weights[d] = {kRuleWeights[place.rules],
                              kConstantWeights[place.constants]};
  }
  choice.mean_reciprocal_rank = MeanReciprocal(ranked.ranks);
  if (!has_knowledge) return;
  choice.knowledge_reason = DescribeRelationWeights(
      ranked.weights.knowledge, kKnowledgeWeights, "rank score");
  choice.knowledge_weights.clear();
  if (!ranked.weights.knowledge.IsUsed()) return;
  for (const size_t place : ranked.weights.knowledge.by_relation) {
    choice.knowledge_weights.push_back(kKnowledgeWeights[place]);
  }
}

// What the network gains in rank score; the questions are the same without it.
GroupedMean GainOf(const Ranked& with, const Ranked& without) {
  std::vector<double> gains;
  for (size_t i = 0; i < with.ranks.size(); ++i) {
    gains.push_back(RankScore(with.ranks[i]) - RankScore(without.ranks[i]));
  }
  return MeanByGroup(gains, GroupsOf(with.trials));
}

std::string DescribeNetwork(const GroupedMean& gain, const Ranked& with,
                            const Ranked& without) {
  return absl::StrCat(
      gain.IsClearGain() ? "used, as its gain is clear"
                         : "not used, as its gain is not clear",
      absl::StrFormat(": %+.4f ± %.4f in rank score on %d questions about "
                      "valid (MRR %.3f with it, %.3f without)",
                      gain.mean, gain.error, with.ranks.size(),
                      MeanReciprocal(with.ranks),
                      MeanReciprocal(without.ranks)));
}

// Gives the reason for all aids alike.
RankingChoice WithoutQuestions(const RankingAids& aids, const char* reason) {
  RankingChoice choice;
  if (aids.network != nullptr) choice.network_reason = reason;
  if (aids.vectors != nullptr) choice.knowledge_reason = reason;
  return choice;
}

}  // namespace

absl::StatusOr<RankingChoice> ChooseRanking(const ModelEvaluation& evaluation,
                                            const RankingAids& aids) {
  const GraphSnapshot& graph = *evaluation.model.snapshot;
  const auto& rules = evaluation.model.encoder->tables().rules;
  const bool has_rules = rules && !rules->rules().empty();
  if (!has_rules && aids.network == nullptr && aids.vectors == nullptr &&
      !aids.measure) {
    return RankingChoice();
  }
  const std::vector<LinkQuestion> questions =
      AffordableQuestions(graph, evaluation.valid, evaluation.limits);
  if (questions.empty()) {
    EvaluationLimits no_limit;
    no_limit.most_candidates = EvaluationLimits::kAll;
    const bool any =
        !AffordableQuestions(graph, evaluation.valid, no_limit).empty();
    return WithoutQuestions(
        aids, any ? "not used, as valid's questions have too many candidates"
                  : "not used, as valid has no questions");
  }
  SLICE_ASSIGN_OR_RETURN(
      const Ranked without,
      RankWith(evaluation, *evaluation.model.scorer, aids.vectors, questions));
  RankingChoice choice;
  choice.asked = questions.size();
  Take(without, aids.vectors != nullptr, choice);
  if (aids.network == nullptr) return choice;
  SLICE_ASSIGN_OR_RETURN(const Ranked with, RankWith(evaluation, *aids.network,
                                                     aids.vectors, questions));
  const GroupedMean gain = GainOf(with, without);
  choice.network_reason = DescribeNetwork(gain, with, without);
  if (gain.IsClearGain()) {
    choice.uses_network = true;
    Take(with, aids.vectors != nullptr, choice);
  }
  return choice;
}

}  // namespace slice
