// The updates that this server published and whose entries have not come back
// from the feed yet.
#ifndef SLICE_SERVER_FEED_AWAITED_UPDATES_H_
#define SLICE_SERVER_FEED_AWAITED_UPDATES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/mutex.h"
#include "server/graph/live_graph.h"
#include "server/graph/waiting_changes.h"

namespace slice {

// Thread-safe. Each update is answered once. The calls of `done` are made
// without a lock.
class AwaitedUpdates {
 public:
  // How long an update waits for its entry.
  static constexpr absl::Duration kMostWait = absl::Seconds(10);
  using Done = std::function<void(const absl::StatusOr<UpdateOutcome>&)>;

  AwaitedUpdates();

  // Keeps `update.done`. Returns a name for the publication that no other
  // server uses; the errors of WaitingChanges::Admit, and then leaves
  // `update.done`.
  absl::StatusOr<std::string> Add(GraphUpdate& update, absl::Time now);

  // Does nothing for a publication that is not awaited (any more).
  void Answer(const std::string& publication,
              const absl::StatusOr<UpdateOutcome>& outcome);
  // Answers all that were added before `time`.
  void GiveUp(absl::Time time, const absl::Status& why);

  size_t changes() const;

 private:
  struct Awaited {
    Done done;
    uint64_t host = 0;
    size_t changes = 0;
    absl::Time since;
  };

  const std::string prefix_;  // of the names; random
  mutable Mutex mutex_;
  uint64_t next_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<std::string, Awaited> awaited_ ABSL_GUARDED_BY(mutex_);
  WaitingChanges waiting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_SERVER_FEED_AWAITED_UPDATES_H_
