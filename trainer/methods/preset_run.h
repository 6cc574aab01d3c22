// Runs the methods that are presets of `fit`.
#ifndef SLICE_TRAINER_METHODS_PRESET_RUN_H_
#define SLICE_TRAINER_METHODS_PRESET_RUN_H_

#include <string>

#include "absl/status/statusor.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/method_run_options.h"
#include "trainer/report/report.h"

namespace slice {

// Trains a bundle and writes it to options.bundle, or to options.out/bundle
// when the former is empty. Returns the report of the bundle. With
// rank_positives above 0, the report also holds a ranking of test links.
// INVALID_ARGUMENT when neither folder is named. Returns the errors of Fit().
// REQUIRES: info.preset is not empty.
absl::StatusOr<TrainingReport> RunPreset(const MethodInfo& info,
                                         const MethodRunOptions& options);

// The settings of the preset `info` that tell its runs apart from those of
// other defaults, such as "preset=default walk_dim=64".
std::string PresetParameters(const MethodInfo& info);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_PRESET_RUN_H_
