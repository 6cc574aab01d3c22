// Held-out links scored for measurement: by every scorer of a model, the way
// the server scores them, and by the baselines; calibrated on valid.
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

// Negatives are drawn alike for every training seed, so that runs compare.
inline constexpr uint64_t kEvaluationSeed = 20210419;

// Which output a set of negatives is put to: the published ones ask for
// plausible links among all pairs, the others for the right ones of a kind.
Question QuestionOf(NegativeSet set);

// What one method says of all links of a split.
struct MethodScores {
  std::string key;   // ScorerName or BaselineKey
  std::string name;  // as shown
  bool is_model = false;
  // Logits of a model's two outputs; a baseline has one score for both.
  std::array<std::vector<float>, kQuestions> scores;

  const std::vector<float>& of(Question question) const {
    return scores[static_cast<size_t>(question)];
  }
};

// A held-out file and the negatives made from it, scored; all parallel.
struct ScoredSplit {
  EvaluationLinks links;
  // The scorer that answers first, then the other scorers that the model has,
  // then the baselines.
  std::vector<MethodScores> methods;
  std::vector<uint16_t> context_nodes;
  std::vector<int16_t> distances;
  std::vector<std::string> metapaths;
  std::vector<float> similarity;  // cosine of the global embeddings; may be
                                  // empty

  const MethodScores& model() const { return methods.front(); }
  // The scores and labels of one set.
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
  std::string model_name = "slice";  // before its scorers' names
  int threads = 1;
  std::string title = "links";  // of the progress line
};

// Scores `rows` and what MakeEvaluationLinks makes of them.
absl::StatusOr<ScoredSplit> ScoreSplit(const ScoringModel& model,
                                       std::span<const LabelledLink> rows,
                                       const KnownLinks& known,
                                       const ScoreSplitOptions& options);

// The same by the baselines alone; no distances, no metapaths.
absl::StatusOr<ScoredSplit> ScoreBaselines(const GraphSnapshot& snapshot,
                                           std::span<const LabelledLink> rows,
                                           const KnownLinks& known,
                                           const ScoreSplitOptions& options);

// Fitted on valid: the temperature of least log loss, and the probability from
// which on a link is called one (best F1 of the positives).
Calibration Calibrate(std::span<const float> logits,
                      std::span<const uint8_t> labels);

// One for each question, of the scorer that answers: on the published and on
// the typed negatives of `valid`.
std::array<Calibration, kQuestions> CalibrateQuestions(
    const ScoredSplit& valid);

// Per question the score from which on a method calls a link one; NaN: not
// known.
using MethodThresholds = std::array<double, kQuestions>;

// Parallel to `test.methods`. For the scorer that answers, if a model is there,
// what `calibrations` say; for the others the best F1 on `valid` (parallel to
// `test`), or NaN without one.
std::vector<MethodThresholds> FitThresholds(
    const ScoredSplit& test,
    const std::array<Calibration, kQuestions>& calibrations,
    const ScoredSplit* valid);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_EVALUATION_H_
