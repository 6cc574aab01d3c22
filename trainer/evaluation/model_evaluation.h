// Evaluates one model: scores labelled files and fills a report. The commands
// `fit` and `evaluate` both evaluate this way.
#ifndef SLICE_TRAINER_EVALUATION_MODEL_EVALUATION_H_
#define SLICE_TRAINER_EVALUATION_MODEL_EVALUATION_H_

#include <cstddef>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/report/fidelity_result.h"
#include "trainer/report/report.h"

namespace slice {

// How much of the held-out links is measured.
struct EvaluationLimits {
  static constexpr size_t kAll = std::numeric_limits<size_t>::max();

  size_t rows = kAll;  // of valid, and of test
  // Roughly how many candidates are scored to choose the rule weights, which
  // bounds the number of questions.
  size_t ranking_scores = 5'000'000;
  // What a question costs besides its candidates, in scores.
  size_t scores_per_question = 0;
  // Questions with more candidates are not asked: each thread holds the pair
  // features of all of them.
  size_t most_candidates = 300'000;
};

// Draws `count` of `rows`, all if there are fewer, with about the share of
// positives that `rows` have. The sample depends on the links alone, and has
// the order of `rows`.
std::vector<LabelledLink> SampleRows(std::span<const LabelledLink> rows,
                                     size_t count);

// A model and the links to evaluate it on. What it points to must outlive the
// calls.
struct ModelEvaluation {
  ScoringModel model;
  OutputReading reading;  // how the model's outputs are read
  // May be empty; then methods other than the model have no threshold.
  std::span<const LabelledLink> valid;
  std::span<const LabelledLink> test;
  std::span<const float> embeddings;  // [nodes, dim]; may be empty
  int dim = 0;
  std::vector<Link> shown;  // more links whose attention the report shows
  bool baselines = true;
  bool explain = true;  // attention and fidelity; needs a context scorer
  std::string model_name = "slice";  // in tables
  EvaluationLimits limits;
  int threads = 1;

  // The true links of valid and test, which may be neither a made negative nor
  // a rival of the answer in a ranking of test links. (Links of the graph are
  // left out there in any case.)
  KnownLinks Known() const;
  // The true links of valid alone, for whatever is chosen on valid. Test labels
  // must not reach a threshold, a temperature or a rule weight.
  KnownLinks KnownToTuning() const;
  ScoreSplitOptions SplitOptions(const char* title) const;
};

// The title of a report. `data` is named with its folder: "LEAKY: slice on
// dblp/train.txt".
std::string ReportTitle(const std::string& method,
                        const std::filesystem::path& data, bool leaky);
// A name as tables and curves show it, such as "slice (LEAKY)".
std::string NameWithLeak(const std::string& name, bool leaky);

// How faithful the explanations of a sample of the published rows of a file
// are. Returns the errors of the scorer.
absl::StatusOr<FidelityResult> MeasureFidelity(
    const ModelEvaluation& evaluation, std::span<const Link> published);

// Scores valid, within evaluation.limits, with the sets of negatives that
// calibration needs: published and typed. Returns the errors of ScoreSplit().
absl::StatusOr<ScoredSplit> ScoreValid(const ModelEvaluation& evaluation,
                                       std::vector<NegativeSet> sets = {
                                           NegativeSet::kPublished,
                                           NegativeSet::kTyped});

// Scores test, within evaluation.limits, fills `report` and returns the scores,
// which ReadAnswers has read. `valid` is the result of ScoreValid with the same
// answering scorer, or null. Returns the errors of ScoreSplit and of the
// explanations.
absl::StatusOr<ScoredSplit> EvaluateTest(const ModelEvaluation& evaluation,
                                         const ScoredSplit* valid,
                                         TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_MODEL_EVALUATION_H_
