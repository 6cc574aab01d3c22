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
#include "trainer/evaluation/relation_calibration.h"

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
  // By question, for each link: the lowest score at which the method calls it a
  // link. NaN or empty: not known.
  std::array<std::vector<double>, kQuestions> thresholds;

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
  std::vector<LinkFlags> flags;  // empty without a model
  // By question: the log-odds of the answers, once ReadAnswers has read them.
  std::array<std::vector<float>, kQuestions> answers;
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
  std::vector<double> ThresholdsOf(const MethodScores& method,
                                   NegativeSet set) const;
};

struct ScoreSplitOptions {
  Scorer answering = Scorer::kContext;
  std::vector<NegativeSet> sets = {NegativeSet::kPublished, NegativeSet::kTyped,
                                   NegativeSet::kDegreeMatched,
                                   NegativeSet::kTypedNonLinks};
  bool baselines = true;
  // [nodes, dim]; when it is not empty, their dot product is a baseline.
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

// The rows on which the answering scorer is calibrated: the published negatives
// of `valid` for "plausible", its typed negatives for "among kind". `reading`
// gives the schema prior.
CalibrationRows CalibrationRowsOf(const ScoredSplit& valid, Question question,
                                  const OutputReading& reading);

// Calibrates the answering scorer of a model once for each question, for all
// relations together.
std::array<Calibration, kQuestions> CalibrateQuestions(
    const ScoredSplit& valid);

// Calibrates `reading`: for all relations together and for each of
// `relation_count` relations (relation_calibration.h). Returns the shrinkage of
// each question.
std::array<Shrinkage, kQuestions> CalibrateReading(const ScoredSplit& valid,
                                                   size_t relation_count,
                                                   OutputReading& reading);

// Sets split.answers and the thresholds of the answering scorer, as logits, in
// the way in which the server reads the logits.
void ReadAnswers(const OutputReading& reading, ScoredSplit& split);

// Sets the thresholds of all methods of `test` but the answering scorer: the
// score with the best F1 on `valid`, or NaN when `valid` is null. REQUIRES:
// `valid` has the same methods as `test`.
void SetThresholds(const ScoredSplit* valid, ScoredSplit& test);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_EVALUATION_H_
