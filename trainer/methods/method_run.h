// Trains one method on one edge list, measures it and writes its report.
#ifndef SLICE_TRAINER_METHODS_METHOD_RUN_H_
#define SLICE_TRAINER_METHODS_METHOD_RUN_H_

#include <string>

#include "absl/status/statusor.h"
#include "trainer/methods/method_run_options.h"
#include "trainer/report/report.h"

namespace slice {

// The first 16 hexadecimal digits of a SHA-256 over the digests of the train,
// node, valid and test files. Runs with equal digests read the same data.
// Returns the errors of reading.
absl::StatusOr<std::string> DataDigest(const MethodRunOptions& options);

// Trains a method, takes its thresholds from valid and measures it on test with
// all sets of negatives. An empty `method` measures all methods that learn
// nothing, in one table.
//
// `out` receives report.json, report.html and report.txt, and of one honest
// method test_scores.npy (trainer/methods/test_scores.h). A method with a
// vector per node adds embeddings.npy and embeddings.keys. A method that is a
// preset of fit leaves its bundle in out/bundle. A leaky run leaves neither,
// and its report says LEAKY.
//
// Returns the errors of FindMethod(), of the files, of the parameters and of
// the training (trainer/methods/link_method.h). INVALID_ARGUMENT when the
// method cannot make the bundle that `bundle` requests, when `settings`,
// `bundle`, `rank_positives` or `leaky` are given without a method, and when
// `leaky` is given with `bundle` or for a method that does not learn from a
// graph by itself.
absl::StatusOr<TrainingReport> RunMethod(const MethodRunOptions& options);

// The total seconds and the peak memory over the steps of a report.
double SecondsOf(const TrainingReport& report);
// The seconds of its training; NaN where a preset of fit trains in other steps.
double TrainSecondsOf(const TrainingReport& report);
double PeakMibOf(const TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_METHOD_RUN_H_
