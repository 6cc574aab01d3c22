// Scores held-out links to measure a model: by each of its scorers, as the
// server scores them, and by the baselines. Calibrates the model on valid.
#ifndef SLICE_TRAINER_EVALUATION_EVALUATION_H_
#define SLICE_TRAINER_EVALUATION_EVALUATION_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/labelled_link.h"
#include "model/prediction.h"
#include "trainer/evaluation/evaluation_links.h"
#include "trainer/evaluation/link_scoring.h"

namespace slice {

// The seed of all draws for measurement. It is the same for every training
// seed, so that runs compare.
inline constexpr uint64_t kEvaluationSeed = 20210419;

// The question that a set of negatives asks: "plausible" for the published
// ones, "among kind" for the others.
Question QuestionOf(NegativeSet set);

// The scores of one method for all links of a split.
struct MethodScores {
  std::string key;   // ScorerName or BaselineKey
  std::string name;  // as shown
  bool is_model = false;
  // By question: the logits of a model's two outputs. A baseline has the same
  // scores for both.
  std::array<std::vector<float>, kQuestions> scores;

  const std::vector<float>& of(Question question) const {
    return scores[static_cast<size_t>(question)];
  }
};

// A held-out file and the negatives made from it, with their scores. All arrays
// are parallel to links.links.
struct ScoredSplit {
  EvaluationLinks links;
  // First the scorer that answers, then the other scorers of the model, then
  // the baselines.
  std::vector<MethodScores> methods;
  std::vector<uint16_t> context_nodes;
  std::vector<int16_t> distances;
  std::vector<std::string> metapaths;
  // Cosines of the ends' global embeddings; empty for a model without them.
  std::vector<float> similarity;

  const MethodScores& model() const { return methods.front(); }
  // The scores and labels of the links of one set, in the order of
  // EvaluationLinks::PositionsOf.
  std::vector<float> ScoresOf(const MethodScores& method,
                              NegativeSet set) const;
  std::vector<uint8_t> LabelsOf(NegativeSet set) const;
};

struct ScoreSplitOptions {
  Scorer answering = Scorer::kContext;
  std::vector<NegativeSet> sets = {NegativeSet::kPublished, NegativeSet::kTyped,
                                   NegativeSet::kDegreeMatched,
                                   NegativeSet::kTypedNonLinks};
  bool baselines = true;
  std::span<const float> embeddings = {};  // [nodes, dim]: adds node2vec
  int dim = 0;
  std::string model_name = "slice";  // put before the names of its scorers
  int threads = 1;
  std::string title = "links";  // of the progress line
};

// Scores `rows` and the negatives that MakeEvaluationLinks makes from them.
// Returns the errors of MakeEvaluationLinks and of the scorer of the model.
absl::StatusOr<ScoredSplit> ScoreSplit(const ScoringModel& model,
                                       std::span<const LabelledLink> rows,
                                       const KnownLinks& known,
                                       const ScoreSplitOptions& options);

// The same with the baselines alone. There are no distances and no metapaths.
absl::StatusOr<ScoredSplit> ScoreBaselines(const GraphSnapshot& snapshot,
                                           std::span<const LabelledLink> rows,
                                           const KnownLinks& known,
                                           const ScoreSplitOptions& options);

// Fits the temperature with the least log loss, and the probability from which
// on a pair is called a link (best F1 of the positives).
Calibration Calibrate(std::span<const float> logits,
                      std::span<const uint8_t> labels);

// Calibrates the scorer that answers for each question: on the published
// negatives of `valid` for "plausible", on the typed ones for "among kind".
std::array<Calibration, kQuestions> CalibrateQuestions(
    const ScoredSplit& valid);

// By question, the score from which on a method calls a pair a link. NaN: not
// known.
using MethodThresholds = std::array<double, kQuestions>;

// The thresholds of test.methods, in their order. The scorer that answers, if
// there is a model, takes those of `calibrations`. The others take the score
// with the best F1 on `valid`, whose methods must be those of `test`, or NaN
// when `valid` is null.
std::vector<MethodThresholds> FitThresholds(
    const ScoredSplit& test,
    const std::array<Calibration, kQuestions>& calibrations,
    const ScoredSplit* valid);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_EVALUATION_H_
