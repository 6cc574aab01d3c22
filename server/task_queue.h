// A bounded queue of closures and the threads that run them.
#ifndef SLICE_SERVER_TASK_QUEUE_H_
#define SLICE_SERVER_TASK_QUEUE_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "common/mutex.h"

namespace slice {

// Thread-safe. Tasks start in the order they were posted.
class TaskQueue {
 public:
  // Starts `threads` threads (at least one), nicer than others by `niceness`
  // (setpriority(2)), as are those they start. At most `max_tasks` wait.
  TaskQueue(int threads, size_t max_tasks, int niceness = 0);
  // Closes.
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  // Queues `task`. False, and the task is not run, when the queue is full or
  // closed.
  [[nodiscard]] bool TryPost(std::function<void()> task);

  // Refuses further tasks, runs those queued and joins the threads. Idempotent;
  // REQUIRES: not called from a task, nor from two threads at once.
  void Close();

  // Tasks waiting now.
  size_t size() const;

 private:
  void Run();

  const size_t max_tasks_;

  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> tasks_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;

  std::vector<std::thread> threads_;
};

}  // namespace slice

#endif  // SLICE_SERVER_TASK_QUEUE_H_
