#include "trainer/fit/fit.h"

#include "common/status_macros.h"
#include "model/model_bundle.h"
#include "trainer/fit/fit_run.h"

namespace slice {

namespace {

absl::Status RunSteps(FitRun& run, const FitOptions& options,
                      FitStep last_step) {
  SLICE_RETURN_IF_ERROR(run.Import());
  const struct {
    FitStep step;
    absl::Status (FitRun::*body)();
  } steps[] = {
      {FitStep::kEmbed, &FitRun::Embed},
      {FitStep::kStatistics, &FitRun::Summarize},
      {FitStep::kStructural, &FitRun::TrainStructural},
      {FitStep::kPretrain, &FitRun::Pretrain},
      {FitStep::kFineTune, &FitRun::FineTune},
      {FitStep::kEvaluate, &FitRun::Evaluate},
      {FitStep::kBundle, &FitRun::Publish},
  };
  for (const auto& step : steps) {
    if (step.step > last_step) break;
    if (step.step == FitStep::kBundle &&
        options.planted_leak != PlantedLeak::kNone) {
      break;
    }
    SLICE_RETURN_IF_ERROR((run.*step.body)());
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Fit(const FitOptions& options) {
  SLICE_RETURN_IF_ERROR(options.Validate());
  SLICE_RETURN_IF_ERROR(CheckBundleDestination(options.out));
  FitRun run(options);
  return RunSteps(run, options, options.last_step);
}

absl::StatusOr<FitMeasurement> MeasureFit(const FitOptions& options) {
  SLICE_RETURN_IF_ERROR(options.Validate());
  FitRun run(options);
  SLICE_RETURN_IF_ERROR(RunSteps(run, options, FitStep::kFineTune));
  return run.MeasureValid();
}

}  // namespace slice
