// The step `walks`: decides by two short trainings of a structural scorer
// whether it reads walk features.
#ifndef SLICE_TRAINER_FIT_WALK_STEP_H_
#define SLICE_TRAINER_FIT_WALK_STEP_H_

#include <nlohmann/json_fwd.hpp>

#include "absl/status/statusor.h"
#include "trainer/fit/learning_inputs.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/walk_choice.h"
#include "trainer/learning/training_examples.h"

namespace slice {

// A step as finish_step.h describes it. `inputs` must outlive it, and have walk
// vectors.
class WalkStep {
 public:
  static constexpr char kName[] = "walks";

  explicit WalkStep(const LearningInputs& inputs) : inputs_(inputs) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<WalkChoice> Load(const nlohmann::json& record) const;

 private:
  absl::StatusOr<QuestionAurocs> Try(const TrainingExamples& examples,
                                     bool with_walks) const;

  const LearningInputs& inputs_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_WALK_STEP_H_
