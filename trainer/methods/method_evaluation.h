// What a comparison method reaches: the figures and tables that the model gets.
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
#include "trainer/report/report.h"

namespace slice {

// The title of a ranking among all nodes, whatever their type.
inline constexpr char kRankingAmongAll[] =
    "Filtered ranking of test links among all nodes";

// What is measured on what. Everything pointed to must outlive the call.
struct MethodEvaluation {
  const MethodInfo* info = nullptr;
  const TrainedMethod* method = nullptr;
  const GraphSnapshot* snapshot = nullptr;
  std::span<const LabelledLink> valid, test;
  size_t rank_positives = 0;  // of test, ranked both ways; 0: no ranking
  int threads = 1;
};

// What turns scores into probabilities: what they are above the offset, as
// logits, by question. Fitted on valid.
struct ScoreCalibration {
  double offset = 0;
  std::array<Calibration, kQuestions> of_question;
};

// Fills the result tables (thresholds are those of best F1 on valid), the
// ranking and the curves of the training. FAILED_PRECONDITION when the graph
// allows no negatives.
absl::StatusOr<ScoreCalibration> EvaluateMethod(
    const MethodEvaluation& evaluation, TrainingReport& report);

// AUROC on the rows of a file, for early stopping.
double AurocOn(const TrainedMethod& method, std::span<const LabelledLink> rows,
               int threads);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_METHOD_EVALUATION_H_
