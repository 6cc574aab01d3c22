// Which steps of a run are finished, so that an interrupted run goes on from
// the last finished one.
//
//   StepLog log(work_directory);
//   SLICE_ASSIGN_OR_RETURN(Json summary, log.Run("embed", fingerprint, body));
#ifndef SLICE_TRAINER_FIT_STEP_LOG_H_
#define SLICE_TRAINER_FIT_STEP_LOG_H_

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/report/report_parts.h"

namespace slice {

// Thread-compatible. Each step leaves `steps/<name>.json` with its fingerprint,
// its seconds, its peak memory, the summary its body returned and the SHA-256
// of each file it made in the work directory, written when all of them are on
// disk; and the SHA-256 of all that.
class StepLog {
 public:
  explicit StepLog(std::filesystem::path work_directory, int step_count);

  // Runs `body` unless an undamaged record with this fingerprint exists, of
  // files that are as they were; returns the body's summary, then or now.
  absl::StatusOr<nlohmann::json> Run(
      const std::string& name, const std::string& fingerprint,
      const std::function<absl::StatusOr<nlohmann::json>()>& body);

  // Removes the record of step `name`, so that it runs again.
  void Forget(const std::string& name);

  // Steps so far, and the seconds and memory each took (when it ran).
  const std::vector<StepTime>& times() const { return times_; }

 private:
  const std::filesystem::path work_directory_;
  const int step_count_;
  std::vector<StepTime> times_;
};

// A digest of a step's name, what it depends on and its options.
std::string StepFingerprint(const std::string& name,
                            const std::vector<std::string>& inputs,
                            const nlohmann::json& options);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_STEP_LOG_H_
