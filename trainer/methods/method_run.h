// One method on one edge list: trained, measured, written to a folder.
#ifndef SLICE_TRAINER_METHODS_METHOD_RUN_H_
#define SLICE_TRAINER_METHODS_METHOD_RUN_H_

#include <string>

#include "absl/status/statusor.h"
#include "trainer/methods/method_run_options.h"
#include "trainer/report/report.h"

namespace slice {

// What tells the files of one run from those of another: the beginning of a
// SHA-256 of what all of them hold. Errors of reading.
absl::StatusOr<std::string> DataDigest(const MethodRunOptions& options);

// Trains, takes the threshold from valid, measures on test, on all sets of
// negatives. `out` receives report.json, report.html and report.txt and, of a
// method with a vector per node, embeddings.npy with embeddings.keys; a method
// that is a preset of fit leaves its bundle in out/bundle. Errors of
// FindMethod(), of the files, the parameters and the training
// (methods/link_method.h). INVALID_ARGUMENT when a bundle is asked for that the
// method cannot give, or something is asked of no method.
absl::StatusOr<TrainingReport> RunMethod(const MethodRunOptions& options);

// The seconds and the most memory of the steps of a report.
double SecondsOf(const TrainingReport& report);
double PeakMibOf(const TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_METHOD_RUN_H_
