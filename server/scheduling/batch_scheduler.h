// Just-in-time batching: no timer and no deliberate delay. Items wait in one
// bounded queue; whoever is free to run a batch takes what is there.
//
//   BatchScheduler scheduler({}, Clock::Real());
//   scheduler.Schedule(items);                             // producers
//   for (WorkBatch batch; scheduler.Take(lane, &batch);) { ... }  // workers
#ifndef SLICE_SERVER_SCHEDULING_BATCH_SCHEDULER_H_
#define SLICE_SERVER_SCHEDULING_BATCH_SCHEDULER_H_

#include <array>
#include <cstddef>
#include <span>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "server/scheduling/fair_queue.h"
#include "server/scheduling/work_item.h"

namespace slice {

struct BatchSchedulerOptions {
  FairQueueOptions order;
  size_t max_queue_items = 8192;
};

// What waits now.
struct QueueState {
  struct OfClass {
    size_t items = 0;
    size_t cost = 0;
    size_t clients = 0;
  };
  // The batch that would be taken next.
  struct Next {
    std::array<size_t, kRequestClasses> items = {};
    size_t dropped = 0;
    bool explained = false;
    absl::Duration until_deadline;  // of the first to expire
  };
  std::array<OfClass, kRequestClasses> classes;
  Next next;
  absl::Duration oldest_age;
  bool closed = false;
};

// Thread-safe. Every scheduled item is handed out exactly once.
class BatchScheduler {
 public:
  // `clock` must outlive the scheduler.
  BatchScheduler(const BatchSchedulerOptions& options, const Clock* clock);
  ~BatchScheduler();
  BatchScheduler(const BatchScheduler&) = delete;
  BatchScheduler& operator=(const BatchScheduler&) = delete;

  // Queues all of `items`, which must live until they are handed out, or none:
  // RESOURCE_EXHAUSTED when the queue has no room for them, UNAVAILABLE after
  // Close.
  absl::Status Schedule(std::span<WorkItem* const> items);

  // Waits for the next batch of the lane (FairQueue). False once closed and
  // empty of its work.
  [[nodiscard]] bool Take(WorkLane lane, WorkBatch* batch);

  // Refuses further items; what is queued is still handed out.
  void Close();

  size_t queue_items() const;
  bool has_work(WorkLane lane) const;  // that it may take now
  QueueState State() const;            // O(queue)

 private:
  void Wake(WorkLane lane, size_t items);

  // Constant after construction.
  const BatchSchedulerOptions options_;
  const Clock* const clock_;

  mutable Mutex mutex_;
  std::array<CondVar, kWorkLanes> changed_;
  FairQueue queue_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_BATCH_SCHEDULER_H_
