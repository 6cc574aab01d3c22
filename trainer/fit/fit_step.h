// Where a training run may end.
#ifndef SLICE_TRAINER_FIT_FIT_STEP_H_
#define SLICE_TRAINER_FIT_FIT_STEP_H_

namespace slice {

// In the order of a run. trainer/fit/fit.cc has all steps; these are those
// after which a command or a trial may end.
enum class FitStep {
  kEmbed,
  kStatistics,
  kStructural,
  kPretrain,
  kFineTune,
  kEvaluate,
  kBundle
};
inline constexpr int kStepsOfEveryRun = 7;

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FIT_STEP_H_
