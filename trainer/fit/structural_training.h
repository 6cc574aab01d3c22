// What it takes to train a structural scorer: scaled tables, a network, and
// examples of all train links.
#ifndef SLICE_TRAINER_FIT_STRUCTURAL_TRAINING_H_
#define SLICE_TRAINER_FIT_STRUCTURAL_TRAINING_H_

#include <torch/script.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/encoder_tables.h"
#include "graphstore/graph_statistics.h"
#include "trainer/fit/learning_inputs.h"
#include "trainer/learning/network_training_options.h"
#include "trainer/learning/training_examples.h"
#include "trainer/learning/training_summary.h"

namespace slice {

// The examples of the steps that train a structural scorer.
absl::StatusOr<TrainingExamples> StructuralExamples(
    const LearningInputs& inputs);

// Tables that are views into `statistics`, scaled once it has the scaling. They
// have walk vectors if it has the arrays.
absl::StatusOr<EncoderTables> StructuralTables(
    const LearningInputs& inputs, const GraphStatistics& statistics);

// Adds the scaling of the pair features of some examples to `statistics`.
absl::Status AddScaling(const LearningInputs& inputs,
                        const TrainingExamples& examples,
                        GraphStatistics& statistics);

// The options of the step `structural`.
NetworkTrainingOptions StructuralTrainingOptions(const LearningInputs& inputs);

// Trains `network` to score by the pair features of `tables`. Returns the
// errors of TrainNetworks.
absl::StatusOr<TrainingSummary> TrainStructural(
    const LearningInputs& inputs, const TrainingExamples& examples,
    const EncoderTables& tables, const NetworkTrainingOptions& options,
    const std::string& title, torch::jit::Module& network);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_STRUCTURAL_TRAINING_H_
