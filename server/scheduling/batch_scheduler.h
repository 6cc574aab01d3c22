// Hands out batches just in time: there is no timer and no deliberate delay.
// Items wait in one queue, and a worker that becomes free takes the items that
// are there. BatchQueue chooses which items form a batch. Whoever schedules
// bounds the items (Admission), because it knows when one has left all queues.
//
//   BatchScheduler scheduler({}, Clock::Real());
//   scheduler.Schedule(items);                             // producers
//   for (WorkBatch batch; scheduler.Take(lane, &batch);) { ... }  // workers
#ifndef SLICE_SERVER_SCHEDULING_BATCH_SCHEDULER_H_
#define SLICE_SERVER_SCHEDULING_BATCH_SCHEDULER_H_

#include <array>
#include <cstddef>
#include <ranges>
#include <span>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "server/scheduling/batch_queue.h"
#include "server/scheduling/work_item.h"

namespace slice {

// The state of a queue at one moment, for operators.
struct QueueState {
  struct OfClass {
    size_t items = 0;
    size_t cost = 0;
    size_t clients = 0;
  };
  // The batch that a worker of the lane kAll would take now.
  struct Next {
    std::array<size_t, kRequestClasses> items = {};
    size_t dropped = 0;
    bool explained = false;
    absl::Duration until_deadline;  // until the first deadline of the batch
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
  BatchScheduler(const BatchQueueOptions& order, const Clock* clock);
  ~BatchScheduler();
  BatchScheduler(const BatchScheduler&) = delete;
  BatchScheduler& operator=(const BatchScheduler&) = delete;

  // Queues all of `items` or none of them. `items` are pointers to WorkItems
  // that must live until they are handed out. Fails after Close alone, with
  // UNAVAILABLE.
  template <std::ranges::sized_range Items = std::span<WorkItem* const>>
  absl::Status Schedule(const Items& items) {
    const size_t count = std::ranges::size(items);
    if (count == 0) return absl::OkStatus();
    const absl::Time now = clock_->Now();
    LaneFlags has_turn;
    {
      MutexLock lock(&mutex_);
      if (closed_) return absl::UnavailableError("the server is stopping");
      for (WorkItem* item : items) queue_.Push(item, now);
      has_turn = LanesWithTurn();
    }
    Wake(has_turn, count);
    return absl::OkStatus();
  }

  // Waits for the next batch of the lane (BatchQueue::Take). Returns false once
  // the scheduler is closed and no work of the lane is left.
  [[nodiscard]] bool Take(WorkLane lane, WorkBatch* batch);

  // From now on Schedule refuses items. Take still hands out the queued ones.
  void Close();

  size_t queue_items() const;
  // Whether work waits that the lane may take now.
  bool has_work(WorkLane lane) const;
  QueueState State() const;  // O(queued items)

 private:
  using LaneFlags = std::array<bool, kWorkLanes>;  // by WorkLane

  LaneFlags LanesWithTurn() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Wakes workers of these lanes after `items` new items were queued.
  void Wake(const LaneFlags& lanes, size_t items);

  const Clock* const clock_;

  mutable Mutex mutex_;
  std::array<CondVar, kWorkLanes> changed_;
  BatchQueue queue_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_BATCH_SCHEDULER_H_
