// Calls that ask for a version of the graph which is not there yet. What they
// hold in memory meanwhile counts as that of requests inside the server.
#ifndef SLICE_SERVER_PIPELINE_VERSION_WAITS_H_
#define SLICE_SERVER_PIPELINE_VERSION_WAITS_H_

#include <atomic>

#include "absl/status/status.h"
#include "server/graph/awaited_versions.h"
#include "server/models/served_model.h"
#include "server/scheduling/admission.h"
#include "server/server_metrics.h"

namespace slice {

// Thread-safe. Must outlive its waits.
class VersionWaits {
 public:
  // `graph_changes`: whether this server takes changes of its graph, or follows
  // a feed of them. The others must outlive the object.
  VersionWaits(bool graph_changes, Admission* admission, ServerMetrics* metrics)
      : graph_changes_(graph_changes),
        admission_(admission),
        metrics_(metrics) {}

  // Calls wait.ready as ServedModel::WhenGraphHas does, and with UNAVAILABLE
  // after End. Until then the bytes of `work` are held, if it has any. Fails,
  // and does not call, with the errors of ServedModel::WhenGraphHas; with
  // FAILED_PRECONDITION where the version cannot come, and with
  // RESOURCE_EXHAUSTED and a RetryInfo where there is no room for the bytes.
  absl::Status Add(const ServedModel& model, const RequestedWork& work,
                   AwaitedVersions::Wait wait);

  // The server stops: ends all waits, within the time that the graph looks at
  // them, and those that are added later.
  void End() { ended_.store(true); }

 private:
  absl::Status CheckCanCome(const ServedModel& model) const;
  absl::Status Hold(const RequestedWork& work);
  void Release(const RequestedWork& work);

  const bool graph_changes_;
  Admission* const admission_;
  ServerMetrics* const metrics_;
  std::atomic<bool> ended_ = false;
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_VERSION_WAITS_H_
