// The answer of a model about a link, and how it is read from the network's
// outputs.
#ifndef SLICE_MODEL_PREDICTION_H_
#define SLICE_MODEL_PREDICTION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "context/link_flags.h"
#include "model/calibration.h"

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

// How the outputs of a network become predictions. Cheap to copy.
struct OutputReading {
  Scorer scorer = Scorer::kContext;  // the one that answers
  // By question, of all relations together.
  std::array<Calibration, kQuestions> calibrations;
  // What is known of single relations. Null: `calibrations` count for all.
  std::shared_ptr<const RelationReadings> relations;
  // The share of links among the pairs that the caller asks about; 0: the share
  // in valid (Calibration::base_rate). Only Question::kPlausible reads it.
  double prior = 0;
  // How much higher the log-odds of a pair off schema must be before it is
  // called a link; 0 or more (trainer/evaluation/off_schema_limit.h).
  double off_schema_margin = 0;
  ContextPooling pooling = ContextPooling::kMean;
  // Indexed by the direction of the question: Direction::kOut has a known
  // source, kIn a known target. Chosen on valid.
  std::array<RuleWeights, 2> rule_weights;

  const Calibration& of(Question question) const {
    return calibrations[static_cast<int>(question)];
  }
  // The calibration of one relation.
  const Calibration& of(Question question, RelationId relation) const;

  // What the flags of a link add to its log-odds (SchemaPrior).
  double SchemaLogOdds(RelationId relation, const LinkFlags& flags) const;
  // What `prior` adds to them.
  double PriorLogOdds(RelationId relation) const;
  // The probability from which on a pair with these flags is called a link.
  double Threshold(RelationId relation, const LinkFlags& flags) const;

  // The probability that a link of this relation and these flags has with this
  // logit of Question::kPlausible.
  float PlausibleProbability(RelationId relation, const LinkFlags& flags,
                             double logit) const;
};

struct Prediction {
  // [scorer][question].
  std::array<std::array<float, kQuestions>, kScorers> logits = {};
  RelationId relation = 0;
  LinkFlags flags;

  // The answer of OutputReading::scorer to Question::kPlausible, with
  // logit = logit_structural + logit_context + logit_knowledge. The probability
  // is calibrated, and counts the prior and schema_log_odds.
  float logit_structural = 0;
  float logit_context = 0;
  float logit_knowledge = 0;
  float logit = 0;
  float probability = 0;
  bool decision = false;
  // What the flags `self` and `off_schema` added to the log-odds of both
  // answers; 0 or less.
  float schema_log_odds = 0;
  // The answer of OutputReading::scorer to Question::kAmongKind.
  float probability_among_kind = 0;

  float Logit(Scorer scorer, Question question) const {
    return logits[static_cast<int>(scorer)][static_cast<int>(question)];
  }
  // Adds the logits of a knowledge graph embedding, by question, to those of
  // every scorer.
  void AddToLogits(const std::array<float, kQuestions>& knowledge);
  // Fills all fields that follow from `logits`, `relation` and `flags`.
  void Read(const OutputReading& reading);
};

}  // namespace slice

#endif  // SLICE_MODEL_PREDICTION_H_
