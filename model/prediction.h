// The answer of a model about a link, and how it is read from the network's
// outputs.
#ifndef SLICE_MODEL_PREDICTION_H_
#define SLICE_MODEL_PREDICTION_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace slice {

// What can be asked about a link. kPlausible: does the relation link this pair,
// among all pairs of nodes? kAmongKind: is this node the right one among the
// nodes that the relation could lead to? The network answers both.
enum class Question : uint8_t { kPlausible = 0, kAmongKind = 1 };
inline constexpr int kQuestions = 2;
std::string_view QuestionName(Question question);  // "plausible", "among_kind"

// The part of the network that answers (docs/model.md, "The network"); every
// network has all three.
enum class Scorer : uint8_t { kContext = 0, kEnds = 1, kStructural = 2 };
inline constexpr int kScorers = 3;
std::string_view ScorerName(Scorer scorer);  // "context", "ends", "structural"
// INVALID_ARGUMENT for another name, listing the three.
absl::StatusOr<Scorer> ParseScorer(std::string_view name);

// The columns of the network's output, such as "context.plausible", in order.
std::vector<std::string> OutputNames();

// probability = sigmoid(logit / temperature); the decision is true when
// probability >= threshold. Both numbers are fitted on valid.
struct Calibration {
  double temperature = 1;
  double threshold = 0.5;

  double Probability(double logit) const {
    return 1 / (1 + std::exp(-logit / temperature));
  }
};

// How the logits of several contexts of a link become one: their mean, or the
// largest (paper, section 3.6).
enum class ContextPooling : uint8_t { kMean = 0, kMax = 1 };
std::string_view ContextPoolingName(ContextPooling pooling);  // "mean", "max"
// INVALID_ARGUMENT for another name.
absl::StatusOr<ContextPooling> ParseContextPooling(std::string_view name);

// The weights of rules in a ranking (model/candidate_ranker.h).
struct RuleWeights {
  double rules = 0;      // of the rule score; the weight of the logit is 1
  double constants = 0;  // of constant rules; the weight of path rules is 1
};

// How the outputs of a network become predictions.
struct OutputReading {
  Scorer scorer = Scorer::kContext;                  // the one that answers
  std::array<Calibration, kQuestions> calibrations;  // by question
  ContextPooling pooling = ContextPooling::kMean;
  // Indexed by the direction of the question: Direction::kOut has a known
  // source, kIn a known target. Chosen on valid.
  std::array<RuleWeights, 2> rule_weights;

  const Calibration& of(Question question) const {
    return calibrations[static_cast<int>(question)];
  }
};

struct Prediction {
  // [scorer][question].
  std::array<std::array<float, kQuestions>, kScorers> logits = {};

  // The answer of OutputReading::scorer to Question::kPlausible, with
  // logit = logit_structural + logit_context.
  float logit_structural = 0;
  float logit_context = 0;
  float logit = 0;
  float probability = 0;
  bool decision = false;
  // The answer of OutputReading::scorer to Question::kAmongKind.
  float probability_among_kind = 0;

  float Logit(Scorer scorer, Question question) const {
    return logits[static_cast<int>(scorer)][static_cast<int>(question)];
  }
  // Fills all other fields from `logits`.
  void Read(const OutputReading& reading);
};

}  // namespace slice

#endif  // SLICE_MODEL_PREDICTION_H_
