// How logits become probabilities and decisions. All numbers are fitted on
// valid, but SchemaPrior, which follows from train.
#ifndef SLICE_MODEL_CALIBRATION_H_
#define SLICE_MODEL_CALIBRATION_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slice {

inline double LogOdds(double probability) {
  return std::log(probability / (1 - probability));
}

// Platt scaling: the log-odds of a link are logit / temperature + offset, plus
// what else is known of it. The decision is true when the probability reaches
// the threshold.
struct Calibration {
  double temperature = 1;
  double threshold = 0.5;
  double offset = 0;
  // The share of links among the rows that the numbers were fitted on, shrunk
  // towards that of all relations. A probability holds at this share.
  double base_rate = 0.5;
  uint64_t rows = 0;  // 0: not known

  // The log-odds of a link with this logit; `more` is added.
  double LogOddsOf(double logit, double more = 0) const {
    return logit / temperature + offset + more;
  }
  double Probability(double logit, double more = 0) const {
    return 1 / (1 + std::exp(-LogOddsOf(logit, more)));
  }
  // The log-odds from which on the decision is true.
  double LogOddsThreshold() const { return LogOdds(threshold); }
};

// What it adds to the log-odds of a pair that it is a self pair, or off schema
// (graphstore/relation_schema.h): the log of how much rarer such a pair is
// among the links of the relation in train than among pairs at random
// (trainer/statistics/schema_prior.h). 0 or less.
struct SchemaPrior {
  double self = 0;
  double off_schema = 0;
};

// What is known of single relations. All vectors are by relation id.
struct RelationReadings {
  static constexpr size_t kOfQuestions = 2;  // kQuestions of prediction.h
  std::array<std::vector<Calibration>, kOfQuestions> calibrations;
  std::vector<SchemaPrior> schema;
};

}  // namespace slice

#endif  // SLICE_MODEL_CALIBRATION_H_
