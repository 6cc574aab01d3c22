// The names of the steps of a training run.
#ifndef SLICE_TRAINER_FIT_FIT_STEP_H_
#define SLICE_TRAINER_FIT_FIT_STEP_H_

namespace slice {

// The steps of a run, in order.
enum class FitStep {
  kEmbed,
  kStatistics,
  kStructural,
  kPretrain,
  kFineTune,
  kEvaluate,
  kBundle
};
inline constexpr int kFitSteps = 7;

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FIT_STEP_H_
