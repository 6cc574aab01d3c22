// Measures a comparison method with the figures and tables that slice itself
// gets.
#ifndef SLICE_TRAINER_METHODS_METHOD_EVALUATION_H_
#define SLICE_TRAINER_METHODS_METHOD_EVALUATION_H_

#include <array>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"
#include "model/prediction.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/test_scores.h"
#include "trainer/report/report.h"

namespace slice {

// The title of a ranking among all nodes of any type.
inline constexpr char kRankingAmongAll[] =
    "Filtered ranking of test links among all nodes";

// What to measure, and on which rows. Everything that it refers to must outlive
// the call.
struct MethodEvaluation {
  const MethodInfo* info = nullptr;
  const TrainedMethod* method = nullptr;
  // The train links alone, whatever the method has learned from.
  const GraphSnapshot* snapshot = nullptr;
  std::span<const LabelledLink> valid, test;
  // How many test links to rank, each for its source and its target; 0: none.
  size_t rank_positives = 0;
  int threads = 1;
  bool leaky = false;  // the tables and curves then say LEAKY
};

// Turns scores into probabilities: sigmoid((score - offset) / temperature),
// with a temperature and a threshold for each question. Fitted on valid.
struct ScoreCalibration {
  double offset = 0;
  std::array<Calibration, kQuestions> of_question;
};

// What is measured beside the figures of the report.
struct MethodMeasurement {
  ScoreCalibration calibration;
  TestScores test;  // on the published negatives
};

// Measures the method on test and fills the result tables, the ranking and the
// curves of the training in `report`. The thresholds of the tables are those of
// the best F1 on valid. FAILED_PRECONDITION when the graph allows no negatives.
absl::StatusOr<MethodMeasurement> EvaluateMethod(
    const MethodEvaluation& evaluation, TrainingReport& report);

// The AUROC of a method over the rows of a file, for early stopping.
double AurocOn(const TrainedMethod& method, std::span<const LabelledLink> rows,
               int threads);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_METHOD_EVALUATION_H_
