#include "trainer/fit.h"

#include "common/status_macros.h"
#include "model/model_bundle.h"
#include "trainer/fit_run.h"

namespace slice {

absl::Status Fit(const FitOptions& options) {
  SLICE_RETURN_IF_ERROR(options.Validate());
  SLICE_RETURN_IF_ERROR(CheckBundleDestination(options.out));
  FitRun run(options);
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
    if (step.step > options.last_step) break;
    if (step.step == FitStep::kBundle &&
        options.planted_leak != PlantedLeak::kNone) {
      break;
    }
    SLICE_RETURN_IF_ERROR((run.*step.body)());
  }
  return absl::OkStatus();
}

}  // namespace slice
