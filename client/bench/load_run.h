// One load on a server: when its calls are sent, and what came of them. Knows
// neither threads nor gRPC; load_generator.h runs it.
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

// Starts calls; tests have one without a server.
class CallStarter {
 public:
  virtual ~CallStarter() = default;
  // Begins a call whose end will be told to LoadRun::Finished with this slot.
  virtual void Start(size_t slot) = 0;
};

// Calls that end by themselves.
class LoadCalls : public CallStarter {
 public:
  // Waits until a call has ended; nothing once EndWait was called.
  virtual std::optional<FinishedCall> Next() = 0;
  // Lets the thread in Next return, here and later. REQUIRES: no call is under
  // way and none will be started.
  virtual void EndWait() = 0;
};

// Thread-safe: one thread calls Send, another Finished.
class LoadRun {
 public:
  // Time starts to count now. `clock` and `calls` must outlive the run.
  LoadRun(const LoadShape& shape, const Clock* clock, CallStarter* calls);

  // Starts what is due. Returns when to call again, InfiniteFuture when nothing
  // will be sent from here any more.
  absl::Time Send();

  // A call ended; in a closed loop its slot sends the next one.
  void Finished(const FinishedCall& call);

  // Ends the sending now, and the measured time with it.
  void Interrupt();

  // Returns when Send is done and every call has ended.
  void WaitUntilIdle();

  // Calls that ended so far.
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
