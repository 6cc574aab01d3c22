#include "model/prediction.h"

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

void Prediction::Read(const OutputReading& reading) {
  logit = Logit(reading.scorer, Question::kPlausible);
  logit_structural = Logit(Scorer::kStructural, Question::kPlausible);
  logit_context = logit - logit_structural;
  const Calibration& plausible = reading.of(Question::kPlausible);
  probability = static_cast<float>(plausible.Probability(logit));
  decision = probability >= plausible.threshold;
  probability_among_kind = static_cast<float>(
      reading.of(Question::kAmongKind)
          .Probability(Logit(reading.scorer, Question::kAmongKind)));
}

}  // namespace slice
