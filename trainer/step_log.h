// Which steps of a run are finished, so that an interrupted run goes on from
// the last finished one.
//
//   StepLog log(work_directory);
//   SLICE_ASSIGN_OR_RETURN(Json summary, log.Run("embed", fingerprint, body));
#ifndef SLICE_TRAINER_STEP_LOG_H_
#define SLICE_TRAINER_STEP_LOG_H_

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/report_parts.h"

namespace slice {

// Thread-compatible. Each step leaves `steps/<name>.json` with its fingerprint,
// its seconds, its peak memory and the summary its body returned, written when
// all its artifacts are on disk.
class StepLog {
 public:
  explicit StepLog(std::filesystem::path work_directory, int step_count);

  // Runs `body` unless a record with this fingerprint exists; returns the
  // body's summary, then or now.
  absl::StatusOr<nlohmann::json> Run(
      const std::string& name, const std::string& fingerprint,
      const std::function<absl::StatusOr<nlohmann::json>()>& body);

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

#endif  // SLICE_TRAINER_STEP_LOG_H_
