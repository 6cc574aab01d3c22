#include "trainer/fit/training_steps.h"

#include <utility>

#include "common/status_macros.h"
#include "trainer/fit/embedding_step.h"
#include "trainer/fit/fine_tuning_step.h"
#include "trainer/fit/finish_step.h"
#include "trainer/fit/learning_inputs.h"
#include "trainer/fit/pretraining_step.h"
#include "trainer/fit/statistics_step.h"
#include "trainer/fit/structural_step.h"
#include "trainer/fit/walk_step.h"

namespace slice {

absl::StatusOr<std::optional<TrainedModel>> RunTrainingSteps(
    const FitOptions& options, ImportedTraining training, FitStep last_step,
    StepLog& log) {
  SLICE_ASSIGN_OR_RETURN(GlobalEmbeddings embeddings,
                         FinishStep(log, EmbeddingStep(options, training)));
  if (last_step == FitStep::kEmbed) return std::nullopt;

  SLICE_ASSIGN_OR_RETURN(TrainingStatistics statistics,
                         FinishStep(log, StatisticsStep(options, training)));
  if (last_step == FitStep::kStatistics) return std::nullopt;

  LearningInputs inputs{options, std::move(training), std::move(embeddings),
                        std::move(statistics), /*walk_reason=*/""};
  if (inputs.training.network.pair_features > 0 && options.walk_dim > 0) {
    SLICE_ASSIGN_OR_RETURN(const WalkChoice choice,
                           FinishStep(log, WalkStep(inputs)));
    choice.ApplyTo(inputs);
  }
  SLICE_ASSIGN_OR_RETURN(StructuralScorer structural,
                         FinishStep(log, StructuralStep(inputs)));
  if (last_step == FitStep::kStructural) return std::nullopt;

  SLICE_ASSIGN_OR_RETURN(PretrainedNetwork pretrained,
                         FinishStep(log, PretrainingStep(inputs, structural)));
  if (last_step == FitStep::kPretrain) return std::nullopt;
  if (pretrained.embeddings) inputs.embeddings = *pretrained.embeddings;

  SLICE_ASSIGN_OR_RETURN(
      FineTunedNetwork fine_tuned,
      FinishStep(log, FineTuningStep(inputs, structural, pretrained)));
  if (fine_tuned.embeddings) inputs.embeddings = *fine_tuned.embeddings;
  return TrainedModel{std::move(inputs), std::move(structural),
                      std::move(pretrained), std::move(fine_tuned)};
}

}  // namespace slice
