// A bounded queue of closures with the threads that run them. Clients are
// served fairly.
#ifndef SLICE_SERVER_SCHEDULING_TASK_QUEUE_H_
#define SLICE_SERVER_SCHEDULING_TASK_QUEUE_H_

#include <cstddef>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "absl/time/time.h"
#include "common/mutex.h"
#include "server/scheduling/client_queues.h"
#include "server/scheduling/work_item.h"

namespace slice {

struct TaskQueueOptions {
  int threads = 1;  // at least one is started
  size_t max_tasks = 256;
  size_t quantum = 1;  // cost that a client may take in a row
  // The threads, and the threads that they start, have the niceness of the
  // process plus this (setpriority(2)).
  int niceness = 0;
};

// Which client a task is charged to, until when it is wanted, and its cost.
struct TaskOrder {
  ClientId client;
  absl::Time deadline = absl::InfiniteFuture();  // earlier ones go first
  size_t cost = 1;
};

// Thread-safe. Clients take turns (server/scheduling/client_queues.h).
class TaskQueue {
 public:
  explicit TaskQueue(const TaskQueueOptions& options);
  // Calls Close.
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  // Returns true when `task` is queued: it will run, even after its deadline.
  // Returns false when `task` is refused: the queue is closed or full, or its
  // host already has as many tasks waiting as the queue has room left.
  [[nodiscard]] bool TryPost(const TaskOrder& order,
                             std::function<void()> task);

  // Queues `task` as the next part of the task that is running; it is never
  // refused. REQUIRES: called from a task of this queue.
  void Continue(const TaskOrder& order, std::function<void()> task);

  // Refuses further tasks, runs the queued ones and joins the threads.
  // Idempotent. REQUIRES: not called from a task, nor from two threads at once.
  void Close();

  // The number of tasks that wait now, and the most that may.
  size_t size() const;
  size_t max_tasks() const { return max_tasks_; }

 private:
  class Task;

  void Push(const TaskOrder& order, std::function<void()> task)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Run();

  const size_t max_tasks_;

  mutable Mutex mutex_;
  CondVar changed_;
  ClientQueues tasks_ ABSL_GUARDED_BY(mutex_);  // owns its items
  // Waiting tasks by host.
  std::map<uint64_t, size_t> of_host_ ABSL_GUARDED_BY(mutex_);
  uint64_t next_sequence_ ABSL_GUARDED_BY(mutex_) = 0;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;

  std::vector<std::thread> threads_;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_TASK_QUEUE_H_
