// Directs one load on a server: decides when calls are sent, and counts how
// they end. It starts no thread and knows nothing of gRPC;
// client/bench/load_generator.h runs it.
#ifndef SLICE_CLIENT_BENCH_LOAD_RUN_H_
#define SLICE_CLIENT_BENCH_LOAD_RUN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "client/bench/load_types.h"
#include "client/bench/poisson_arrivals.h"
#include "common/clock.h"
#include "common/mutex.h"

namespace slice {

// Starts calls. Tests use an implementation that needs no server.
class CallStarter {
 public:
  virtual ~CallStarter() = default;
  // Starts a call in a slot, a number below LoadShape::slots that no other call
  // under way has. When the call has ended, LoadRun::Finished is called with
  // this slot.
  virtual void Start(size_t slot) = 0;
};

// Starts calls and waits until they end.
class LoadCalls : public CallStarter {
 public:
  // Waits until a call has ended, and returns how it ended. Returns nothing
  // after EndWait was called.
  virtual std::optional<FinishedCall> Next() = 0;
  // Makes Next return nothing, now and later. REQUIRES: no call is under way
  // and none will be started.
  virtual void EndWait() = 0;
};

// Thread-safe: one thread may call Send while another calls Finished.
class LoadRun {
 public:
  // The warm-up starts now. `clock` and `calls` must outlive the LoadRun.
  LoadRun(const LoadShape& shape, const Clock* clock, CallStarter* calls);

  // Starts the calls that are due. Returns the time at which to call Send
  // again, or InfiniteFuture when Send has no more calls to start.
  absl::Time Send();

  // Counts a call that has ended. In a closed loop, then starts the next call
  // in the same slot.
  void Finished(const FinishedCall& call);

  // Ends the sending and the measured time now.
  void Interrupt();

  // Returns when Send is done and every call has ended.
  void WaitUntilIdle();

  // The number of calls that have ended.
  int64_t finished() const;

  // REQUIRES: WaitUntilIdle returned.
  LoadResult TakeResult();

 private:
  struct Slot {
    absl::Time due;
    bool measured = false;
  };

  absl::Time SendClosed();
  absl::Time SendOpen();
  void EndNow(absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Begin(size_t slot, absl::Time due) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsMeasured(absl::Time time) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Count(const FinishedCall& call, absl::Time now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Constant after construction.
  const LoadShape shape_;
  const Clock* const clock_;
  CallStarter* const calls_;
  const absl::Time measured_from_;

  mutable Mutex mutex_;
  CondVar idle_;
  absl::Time end_ ABSL_GUARDED_BY(mutex_);
  PoissonArrivals arrivals_ ABSL_GUARDED_BY(mutex_);
  absl::Time next_due_ ABSL_GUARDED_BY(mutex_);
  std::vector<Slot> slots_ ABSL_GUARDED_BY(mutex_);
  std::vector<size_t> free_slots_ ABSL_GUARDED_BY(mutex_);
  int64_t finished_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t answered_in_time_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t links_in_time_ ABSL_GUARDED_BY(mutex_) = 0;
  LoadResult result_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_LOAD_RUN_H_
