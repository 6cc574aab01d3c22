#include "model/prediction.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace slice {

std::string_view QuestionName(Question question) {
  static constexpr std::string_view kNames[] = {"plausible", "among_kind"};
  return kNames[static_cast<int>(question)];
}

std::string_view ScorerName(Scorer scorer) {
  static constexpr std::string_view kNames[] = {"context", "ends",
                                                "structural"};
  return kNames[static_cast<int>(scorer)];
}

absl::StatusOr<Scorer> ParseScorer(std::string_view name) {
  for (int i = 0; i < kScorers; ++i) {
    const Scorer scorer = static_cast<Scorer>(i);
    if (ScorerName(scorer) == name) return scorer;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown scorer '", std::string(name),
                   "'; scorers are context, ends and structural"));
}

std::vector<std::string> OutputNames() {
  std::vector<std::string> names;
  for (int scorer = 0; scorer < kScorers; ++scorer) {
    for (int question = 0; question < kQuestions; ++question) {
      names.push_back(absl::StrCat(
          std::string(ScorerName(static_cast<Scorer>(scorer))), ".",
          std::string(QuestionName(static_cast<Question>(question)))));
    }
  }
  return names;
}

std::string_view ContextPoolingName(ContextPooling pooling) {
  return pooling == ContextPooling::kMax ? "max" : "mean";
}

absl::StatusOr<ContextPooling> ParseContextPooling(std::string_view name) {
  if (name == "mean") return ContextPooling::kMean;
  if (name == "max") return ContextPooling::kMax;
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown context pooling '", absl::string_view(name.data(), name.size()),
      "': use mean or max"));
}

const Calibration& OutputReading::of(Question question,
                                     RelationId relation) const {
  if (relations == nullptr) return of(question);
  const auto& all = relations->calibrations[static_cast<int>(question)];
  return relation < all.size() ? all[relation] : of(question);
}

double OutputReading::SchemaLogOdds(RelationId relation,
                                    const LinkFlags& flags) const {
  if (relations == nullptr || relation >= relations->schema.size()) return 0;
  const SchemaPrior& prior = relations->schema[relation];
  // A pair that is both is impossible for one reason or the other; the reasons
  // are not independent, so they do not add up.
  return std::min(flags.self ? prior.self : 0.0,
                  flags.off_schema() ? prior.off_schema : 0.0);
}

double OutputReading::PriorLogOdds(RelationId relation) const {
  if (prior == 0) return 0;
  return LogOdds(prior) - LogOdds(of(Question::kPlausible, relation).base_rate);
}

float OutputReading::PlausibleProbability(RelationId relation,
                                          const LinkFlags& flags,
                                          double logit) const {
  return static_cast<float>(
      of(Question::kPlausible, relation)
          .Probability(
              logit, SchemaLogOdds(relation, flags) + PriorLogOdds(relation)));
}

double OutputReading::Threshold(RelationId relation,
                                const LinkFlags& flags) const {
  const double threshold = of(Question::kPlausible, relation).threshold;
  if (!flags.off_schema() || off_schema_margin == 0) return threshold;
  return 1 / (1 + std::exp(-LogOdds(threshold) - off_schema_margin));
}

void Prediction::AddToLogits(const std::array<float, kQuestions>& knowledge) {
  for (auto& of_scorer : logits) {
    for (size_t q = 0; q < knowledge.size(); ++q) of_scorer[q] += knowledge[q];
  }
  logit_knowledge = knowledge[static_cast<size_t>(Question::kPlausible)];
}

void Prediction::Read(const OutputReading& reading) {
  logit = Logit(reading.scorer, Question::kPlausible);
  const float structural = Logit(Scorer::kStructural, Question::kPlausible);
  logit_structural = structural - logit_knowledge;
  logit_context = logit - structural;
  const double schema = reading.SchemaLogOdds(relation, flags);
  schema_log_odds = static_cast<float>(schema);
  probability = reading.PlausibleProbability(relation, flags, logit);
  decision = probability >= reading.Threshold(relation, flags);
  probability_among_kind = static_cast<float>(
      reading.of(Question::kAmongKind, relation)
          .Probability(Logit(reading.scorer, Question::kAmongKind), schema));
}

}  // namespace slice
