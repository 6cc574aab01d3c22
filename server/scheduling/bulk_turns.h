// When a thread of the bulk lane offers its core to others.
#ifndef SLICE_SERVER_SCHEDULING_BULK_TURNS_H_
#define SLICE_SERVER_SCHEDULING_BULK_TURNS_H_

#include <cstdint>
#include <functional>

#include "absl/time/time.h"
#include "common/clock.h"

namespace slice {

// One per thread. A thread that wakes up to answer an interactive request would
// wait milliseconds for a core on which bulk work runs, however nice that is:
// Linux protects a turn that has begun. So bulk work ends its turn after each
// batch, as long as interactive requests come in.
//
// On a core that other programs keep busy a turn that was ended comes back late
// (sched_yield(2)). Bulk work therefore waits for no more than leaves it its
// share of the time.
class BulkTurns {
 public:
  // Runs have at least `share` of the time, in (0, 1]. `clock` must outlive
  // this; `yield` offers the core, sched_yield() when left out.
  BulkTurns(const Clock* clock, double share, std::function<void()> yield = {});

  // A batch begins.
  void Begin() { start_ = clock_->Now(); }

  // It has ended. `interactive_requests`: how many have come in so far.
  void End(uint64_t interactive_requests);

 private:
  bool InteractiveComes(uint64_t requests, absl::Time now);

  const Clock* const clock_;
  const double waits_per_run_;
  const std::function<void()> yield_;
  absl::Time start_;
  absl::Duration may_wait_;  // saved up while it ran
  uint64_t requests_ = 0;
  absl::Time last_request_ = absl::InfinitePast();
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_BULK_TURNS_H_
