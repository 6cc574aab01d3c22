// The log of finished steps. An interrupted run reads it, to go on after the
// last step that it finished.
//
//   StepLog log(work_directory, step_count);
//   SLICE_ASSIGN_OR_RETURN(Json summary, log.Run("embed", fingerprint, body));
#ifndef SLICE_TRAINER_FIT_STEP_LOG_H_
#define SLICE_TRAINER_FIT_STEP_LOG_H_

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/report/report_parts.h"

namespace slice {

// Each step leaves a record, `steps/<name>.json`, written when all its files
// are on disk (the format is described in step_log.cc). Thread-compatible.
class StepLog {
 public:
  explicit StepLog(std::filesystem::path work_directory, int step_count);

  // Runs `body` and returns its summary. When an undamaged record with this
  // fingerprint exists and the files of the step are unchanged, returns the
  // recorded summary instead. A log line says why a recorded step runs again.
  absl::StatusOr<nlohmann::json> Run(
      const std::string& name, const StepFingerprint& fingerprint,
      const std::function<absl::StatusOr<nlohmann::json>()>& body);

  // The digest of the last step's fingerprint, files and summary. Later steps
  // depend on it: the same step may give another result when it runs again.
  const std::string& result_digest() const { return result_digest_; }

  // Removes the record of step `name`, so that it runs again.
  void Forget(const std::string& name);

  // The steps so far with the seconds and the memory that each took when it
  // ran.
  const std::vector<StepTime>& times() const { return times_; }

 private:
  const std::filesystem::path work_directory_;
  const int step_count_;
  std::vector<StepTime> times_;
  std::string result_digest_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_STEP_LOG_H_
