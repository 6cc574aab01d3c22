// Just-in-time batching: no timer and no deliberate delay. Tasks wait in one
// bounded queue; whoever is free to run a batch takes what is there.
//
//   BatchScheduler scheduler({.max_batch_size = 64}, Clock::Real());
//   scheduler.Schedule(std::move(task));             // producers
//   while (auto batch = scheduler.Take()) { ... }    // each executor
#ifndef SLICE_SERVER_BATCH_SCHEDULER_H_
#define SLICE_SERVER_BATCH_SCHEDULER_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"

namespace slice {

// What the tasks of one batch have in common: the model and which of its
// methods they want.
struct BatchKey {
  const void* model = nullptr;
  bool explain = false;

  auto operator<=>(const BatchKey&) const = default;
};

// One item, the unit of batching. The methods are called from any thread.
class BatchTask {
 public:
  virtual ~BatchTask() = default;

  // Constant over the task's life.
  virtual BatchKey key() const = 0;
  virtual absl::Time deadline() const = 0;

  // Whether nobody waits for the result any more. Never goes back to false.
  virtual bool cancelled() const = 0;
};

// What Take hands out. `tasks` have one key, at most max_batch_size of them,
// earliest deadline first; `dropped` were late or cancelled when the batch was
// formed and must be ended without being run. At most one of them is empty.
struct Batch {
  std::vector<std::unique_ptr<BatchTask>> tasks;
  std::vector<std::unique_ptr<BatchTask>> dropped;
};

struct BatchSchedulerOptions {
  size_t max_batch_size = 64;
  size_t max_queue_items = 8192;
};

// Thread-safe. Every scheduled task is handed out exactly once.
class BatchScheduler {
 public:
  // `clock` must outlive the scheduler.
  BatchScheduler(const BatchSchedulerOptions& options, const Clock* clock);
  ~BatchScheduler();
  BatchScheduler(const BatchScheduler&) = delete;
  BatchScheduler& operator=(const BatchScheduler&) = delete;

  // Queues `*task` and takes it over. RESOURCE_EXHAUSTED when the queue is
  // full and UNAVAILABLE after Close: the caller then still owns `*task`.
  absl::Status Schedule(std::unique_ptr<BatchTask>* task);

  // The next batch: that of the task with the earliest deadline. Blocks while
  // the queue is empty; nullopt once it is closed and empty.
  std::optional<Batch> Take();

  // Refuses further tasks; what is queued is still handed out.
  void Close();

  // Tasks queued now, and how long the oldest has waited (O(queue)).
  size_t queue_items() const;
  absl::Duration OldestAge() const;

  const BatchSchedulerOptions& options() const { return options_; }

 private:
  struct QueuedTask {
    std::unique_ptr<BatchTask> task;
    absl::Time enqueued;
  };
  // Ties are served in order of arrival.
  struct Position {
    absl::Time deadline;
    uint64_t sequence;

    bool operator<(const Position& other) const {
      return deadline != other.deadline ? deadline < other.deadline
                                        : sequence < other.sequence;
    }
  };
  using Queue = std::map<Position, QueuedTask>;

  void DropLate(absl::Time now, Batch& batch)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FillBatch(Batch& batch) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Constant after construction.
  const BatchSchedulerOptions options_;
  const Clock* const clock_;

  mutable Mutex mutex_;
  CondVar changed_;
  std::map<BatchKey, Queue> queues_ ABSL_GUARDED_BY(mutex_);  // none is empty
  size_t queue_items_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t next_sequence_ ABSL_GUARDED_BY(mutex_) = 0;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace slice

#endif  // SLICE_SERVER_BATCH_SCHEDULER_H_
