// Scores held-out links to measure a model. Each scorer of the model scores
// them as the server does, and the baselines score them too. Also calibrates
// the model on valid.
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

// The question that a set of negatives measures: "plausible" for the published
// negatives, "among kind" for the other sets.
Question QuestionOf(NegativeSet set);

// The scores of one method, a scorer of the model or a baseline, for all links
// of a split.
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
  // Cosine similarities of the two ends' global embeddings. Empty for a model
  // without embeddings.
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
  // [nodes, dim]; when it is not empty, node2vec is one of the baselines.
  std::span<const float> embeddings = {};
  int dim = 0;
  std::string model_name = "slice";  // put before the names of its scorers
  int threads = 1;
  std::string title = "links";  // of the progress line
};

// Scores `rows` and the negatives that MakeEvaluationLinks() makes from them.
// Returns the errors of MakeEvaluationLinks() and of the scorer of the model.
absl::StatusOr<ScoredSplit> ScoreSplit(const ScoringModel& model,
                                       std::span<const LabelledLink> rows,
                                       const KnownLinks& known,
                                       const ScoreSplitOptions& options);

// Scores the same links with the baselines alone. The result has no values that
// a model gives: context_nodes, distances, metapaths and similarity stay empty.
absl::StatusOr<ScoredSplit> ScoreBaselines(const GraphSnapshot& snapshot,
                                           std::span<const LabelledLink> rows,
                                           const KnownLinks& known,
                                           const ScoreSplitOptions& options);

// Fits the temperature with the least log loss, and the threshold with the best
// F1 of the positives. Pairs with at least this probability are called links.
Calibration Calibrate(std::span<const float> logits,
                      std::span<const uint8_t> labels);

// Calibrates the answering scorer of a model once for each question: on the
// published negatives of `valid` for "plausible", on its typed negatives for
// "among kind".
std::array<Calibration, kQuestions> CalibrateQuestions(
    const ScoredSplit& valid);

// For each question, the lowest score at which a method calls a pair a link.
// NaN when it is not known.
using MethodThresholds = std::array<double, kQuestions>;

// The thresholds of test.methods, in the same order. The answering scorer, if
// there is a model, takes its thresholds from `calibrations`, as logits. Each
// other method takes the score with the best F1 on `valid`, or NaN when `valid`
// is null. REQUIRES: `valid` has the same methods as `test`.
std::vector<MethodThresholds> FitThresholds(
    const ScoredSplit& test,
    const std::array<Calibration, kQuestions>& calibrations,
    const ScoredSplit* valid);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_EVALUATION_H_
