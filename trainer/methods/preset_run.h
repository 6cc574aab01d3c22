// Methods that are presets of `fit`, run as the others are.
#ifndef SLICE_TRAINER_METHODS_PRESET_RUN_H_
#define SLICE_TRAINER_METHODS_PRESET_RUN_H_

#include "absl/status/statusor.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/method_run_options.h"
#include "trainer/report/report.h"

namespace slice {

// Fits to options.bundle, or to options.out/bundle; the report is the bundle's,
// with a ranking where one is asked for. Errors of Fit; INVALID_ARGUMENT when
// no folder is named. REQUIRES: info.preset.
absl::StatusOr<TrainingReport> RunPreset(const MethodInfo& info,
                                         const MethodRunOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_PRESET_RUN_H_
