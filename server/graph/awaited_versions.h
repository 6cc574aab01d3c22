// Calls that wait until a version of the graph is visible.
#ifndef SLICE_SERVER_GRAPH_AWAITED_VERSIONS_H_
#define SLICE_SERVER_GRAPH_AWAITED_VERSIONS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/mutex.h"

namespace slice {

// Thread-safe. Each call is made once, without a lock, by the thread whose
// method ends its wait. REQUIRES: the calls do not block.
class AwaitedVersions {
 public:
  using Ready = std::function<void(const absl::Status&)>;
  static constexpr size_t kMost = 1000;

  struct Wait {
    uint64_t version = 0;
    absl::Time deadline;
    std::function<bool()> cancelled;  // whether the caller has left
    Ready ready;
    uint64_t host = 0;  // of the caller; 0: this server, which has no share
  };
  // RESOURCE_EXHAUSTED when kMost wait already, or as many of one host as are
  // free; `ready` is not called then.
  absl::Status Add(Wait wait);

  // Versions up to this one are visible: calls with OK.
  void Advance(uint64_t version);
  // Calls with DEADLINE_EXCEEDED where the deadline has passed, and with
  // CANCELLED where the caller has left.
  void Expire(absl::Time now);
  // Calls all with `status`.
  void End(const absl::Status& status);

  size_t size() const;

 private:
  using Waits = std::multimap<uint64_t, Wait>;  // by version

  bool IsFullFor(uint64_t host) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable Mutex mutex_;
  Waits waits_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_SERVER_GRAPH_AWAITED_VERSIONS_H_
