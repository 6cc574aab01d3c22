// Decides when a thread of the bulk lane offers its core to other threads.
#ifndef SLICE_SERVER_SCHEDULING_BULK_TURNS_H_
#define SLICE_SERVER_SCHEDULING_BULK_TURNS_H_

#include <cstdint>
#include <functional>

#include "absl/time/time.h"
#include "common/clock.h"

namespace slice {

// Each thread of the bulk lane has a BulkTurns of its own. Linux lets a thread
// finish the time slice that it has begun. So an interactive thread that wakes
// up could wait milliseconds for a core on which bulk work runs, whatever the
// niceness of the two threads. Therefore bulk work gives up its time slice
// (sched_yield(2)) after each batch while interactive requests come in.
//
// On a core that other programs keep busy, a thread that yielded gets the core
// back late. Therefore bulk work yields only as long as it keeps its share of
// the time.
class BulkTurns {
 public:
  // `share`, in (0, 1], is the least part of the time for which bulk work runs.
  // `clock` must outlive this object. `yield` offers the core to other threads;
  // it is sched_yield() by default.
  BulkTurns(const Clock* clock, double share, std::function<void()> yield = {});

  // A batch begins.
  void Begin() { start_ = clock_->Now(); }

  // The batch has ended. Offers the core to other threads if interactive
  // requests come in and bulk work keeps its share. `interactive_requests` is
  // the number that has come in since the start of the server.
  void End(uint64_t interactive_requests);

 private:
  bool InteractiveComes(uint64_t requests, absl::Time now);

  const Clock* const clock_;
  const double waits_per_run_;
  const std::function<void()> yield_;
  absl::Time start_;
  absl::Duration may_wait_;  // earned by running, spent by yielding
  uint64_t requests_ = 0;
  absl::Time last_request_ = absl::InfinitePast();
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_BULK_TURNS_H_
