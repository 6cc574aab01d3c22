// One load on a server: when its calls are sent, and what came of them. Knows
// neither threads nor gRPC; load_generator.h runs it.
#ifndef SLICE_CLIENT_LOAD_RUN_H_
#define SLICE_CLIENT_LOAD_RUN_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/bench_options.h"
#include "client/latency_histogram.h"
#include "client/poisson_arrivals.h"
#include "common/clock.h"
#include "common/mutex.h"

namespace slice {

// Closed loop: `slots` callers, each of which sends its next call when the last
// one ended. Open loop: calls are due at the times of a Poisson process,
// whatever the server does, and at most `slots` are under way.
struct LoadShape {
  double rate = 0;  // calls per second; 0 = closed loop
  size_t slots = 1;
  absl::Duration warmup;  // comes first and is not measured
  absl::Duration duration;
  uint64_t seed = 1;
  bool until_unavailable = false;  // the first such failure ends the sending
};

// Where the server spent the time of a call: its slowest link's.
struct ServerTimes {
  absl::Duration queue, context, model;
  int64_t batch_size = 0;
};

// How a call ended.
struct FinishedCall {
  size_t slot = 0;
  LoadClass load_class = LoadClass::kDefault;
  absl::Status status;
  // Of an answered call: links that were scored, and the others by their code.
  int64_t links = 0;
  std::map<absl::StatusCode, int64_t> link_errors;
  absl::Status first_link_error;
  std::optional<ServerTimes> server_times;  // when the server told
};

// The server's times of many calls.
struct StageTimes {
  LatencyHistogram queue, context, model;
  std::map<int64_t, int64_t> batch_sizes;  // calls by the largest batch of each

  void Add(const ServerTimes& times);
  // Of the calls; NaN without any.
  double MeanBatchSize() const;
};

// The calls of one class.
struct ClassResult {
  int64_t answered = 0;
  int64_t failed = 0;
  int64_t links = 0;  // scored in the measured time
  double links_per_second = 0;
  LatencyHistogram latency;
};

// Calls are those that were due in the measured time; rates count what was
// answered in it.
struct LoadResult {
  absl::Duration measured;
  int64_t sent = 0;      // answered + failed
  int64_t answered = 0;  // with OK
  int64_t unsent = 0;    // due while all slots were taken
  int64_t links = 0;     // scored
  std::map<absl::StatusCode, int64_t> errors;
  absl::Status first_error;
  std::map<absl::StatusCode, int64_t> link_errors;
  absl::Status first_link_error;
  double rpcs_per_second = 0;
  double links_per_second = 0;
  // From the time a call was due to its end.
  LatencyHistogram latency;
  LatencyHistogram error_latency;
  // From the time a call was due to the time it was sent; open loop only.
  LatencyHistogram lateness;
  StageTimes stages;                         // of the answered calls
  std::map<LoadClass, ClassResult> classes;  // those that calls asked for
  size_t max_outstanding = 0;
  bool interrupted = false;
};

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

#endif  // SLICE_CLIENT_LOAD_RUN_H_
