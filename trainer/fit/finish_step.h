// How `fit` goes through its steps. A step is a small class:
//
//   class ExampleStep {
//    public:
//     static constexpr char kName[] = "example";  // the name of its record
//     // Everything that the result depends on: the digests of the results it
//     // reads, and its options.
//     absl::StatusOr<StepFingerprint> Fingerprint() const;
//     // Does the work and leaves its files in the work directory; returns what
//     // the record keeps beside them.
//     absl::StatusOr<nlohmann::json> Run() const;
//     // Makes the result from the files and the record that Run left, now or
//     // in an earlier run. Its member `fingerprint` is set by FinishStep.
//     absl::StatusOr<ExampleResult> Load(const nlohmann::json& record) const;
//   };
#ifndef SLICE_TRAINER_FIT_FINISH_STEP_H_
#define SLICE_TRAINER_FIT_FINISH_STEP_H_

#include <nlohmann/json.hpp>
#include <utility>

#include "common/status_macros.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/step_log.h"

namespace slice {

// Runs `step`, unless `log` holds an undamaged record of it with the same
// fingerprint. In both cases loads and returns the result of the step. Returns
// the errors of the step's own methods.
template <typename Step>
auto FinishStep(StepLog& log, const Step& step)
    -> decltype(step.Load(nlohmann::json())) {
  SLICE_ASSIGN_OR_RETURN(const StepFingerprint fingerprint, step.Fingerprint());
  SLICE_ASSIGN_OR_RETURN(
      const nlohmann::json record,
      log.Run(Step::kName, fingerprint, [&] { return step.Run(); }));
  SLICE_ASSIGN_OR_RETURN(auto result, step.Load(record));
  result.fingerprint = log.result_digest();
  return result;
}

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FINISH_STEP_H_
