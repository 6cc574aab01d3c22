// The evaluation of one model, from labelled files to a report: the same for
// `fit` and `evaluate`.
#ifndef SLICE_TRAINER_EVALUATION_MODEL_EVALUATION_H_
#define SLICE_TRAINER_EVALUATION_MODEL_EVALUATION_H_

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/report/report.h"

namespace slice {

// What is evaluated, on what. Everything pointed to must outlive the calls.
struct ModelEvaluation {
  ScoringModel model;
  OutputReading reading;                // how the model's outputs are read
  std::span<const LabelledLink> valid;  // may be empty: then methods other than
                                        // the model have no threshold
  std::span<const LabelledLink> test;
  std::span<const float> embeddings;  // [nodes, dim]; may be empty
  int dim = 0;
  std::vector<Link> shown;  // links whose attention is shown, beside others
  bool baselines = true;
  bool explain = true;  // attention and fidelity; needs a context scorer
  std::string model_name = "slice";  // in tables
  int threads = 1;

  KnownLinks Known() const;
  ScoreSplitOptions SplitOptions(const char* title) const;
};

// A file as titles name it: with its folder, "dblp/test.txt".
std::string DataName(const std::filesystem::path& path);

// Valid scored on what calibration needs: published and typed negatives.
absl::StatusOr<ScoredSplit> ScoreValid(const ModelEvaluation& evaluation);

// Scores test, fills `report` and returns the scores. `valid` is that of
// ScoreValid, or null.
absl::StatusOr<ScoredSplit> EvaluateTest(const ModelEvaluation& evaluation,
                                         const ScoredSplit* valid,
                                         TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_MODEL_EVALUATION_H_
