// What a model says of a link.
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

// What can be asked of a link: whether it is one among all pairs of nodes, and
// whether it is the right one among its kind (the other nodes that the relation
// could lead to). The network answers both, by an output each.
enum class Question : uint8_t { kPlausible = 0, kAmongKind = 1 };
inline constexpr int kQuestions = 2;
std::string_view QuestionName(Question question);  // "plausible", "among_kind"

// Who answers (model.md 4); every bundle holds all three.
enum class Scorer : uint8_t { kContext = 0, kEnds = 1, kStructural = 2 };
inline constexpr int kScorers = 3;
std::string_view ScorerName(Scorer scorer);  // "context", "ends", "structural"
// INVALID_ARGUMENT for another name, naming the three.
absl::StatusOr<Scorer> ParseScorer(std::string_view name);

// The columns of the network's output, such as "context.plausible", in order.
std::vector<std::string> OutputNames();

// probability = sigmoid(logit / temperature); a link is called one when
// probability >= threshold. Fitted on valid.
struct Calibration {
  double temperature = 1;
  double threshold = 0.5;

  double Probability(double logit) const {
    return 1 / (1 + std::exp(-logit / temperature));
  }
};

// How the scores of several contexts of a link become one, per column of the
// network: their mean, or the largest (paper, section 3.7).
enum class ContextPooling : uint8_t { kMean = 0, kMax = 1 };
std::string_view ContextPoolingName(ContextPooling pooling);  // "mean", "max"
// INVALID_ARGUMENT for another name.
absl::StatusOr<ContextPooling> ParseContextPooling(std::string_view name);

// What rules count beside the second output when nodes are ranked
// (model/candidate_ranker.h): all of them, and constant rules beside path
// rules.
struct RuleWeights {
  double rules = 0;
  double constants = 0;
};

// How a bundle's outputs are read: the scorer that answers, and a calibration
// per question.
struct OutputReading {
  Scorer scorer = Scorer::kContext;
  std::array<Calibration, kQuestions> calibrations;
  ContextPooling pooling = ContextPooling::kMean;
  // For a known source (Direction::kOut) and a known target; chosen on valid.
  std::array<RuleWeights, 2> rule_weights;

  const Calibration& of(Question question) const {
    return calibrations[static_cast<int>(question)];
  }
};

struct Prediction {
  // Of every scorer, for both questions.
  std::array<std::array<float, kQuestions>, kScorers> logits = {};

  // Of the scorer that answers, whether the link is plausible:
  // logit = logit_structural + logit_context.
  float logit_structural = 0;
  float logit_context = 0;
  float logit = 0;
  float probability = 0;
  bool decision = false;
  // The same scorer's answer to the other question.
  float probability_among_kind = 0;

  float Logit(Scorer scorer, Question question) const {
    return logits[static_cast<int>(scorer)][static_cast<int>(question)];
  }
  // Fills all but `logits` from these.
  void Read(const OutputReading& reading);
};

// Who attends to whom in one context: weights [layers, heads, tokens, tokens],
// row-major; each row over the last index sums to 1. Row i holds what token i
// receives from every token j (paper, equation 3).
struct SemanticAssociationMatrix {
  int layers = 0;
  int heads = 0;
  int tokens = 0;
  std::vector<float> weights;

  float at(int layer, int head, int to, int from) const {
    return weights[((static_cast<size_t>(layer) * heads + head) * tokens + to) *
                       tokens +
                   from];
  }

  // Attention rollout (Abnar and Zuidema, ACL 2020): [tokens, tokens], rows sum
  // to 1. Heads averaged, half of each layer's weight given to the residual
  // connection.
  std::vector<float> Rollout() const;
};

}  // namespace slice

#endif  // SLICE_MODEL_PREDICTION_H_
