// ClientQueues hold WorkItems, so each closure is wrapped in a Task. The thread
// that pops a Task runs its closure and deletes the Task. All tasks are of one
// class and one batch key. Unlike the BatchScheduler this queue drops nothing:
// a closure must run, because it answers a call.
#include "server/scheduling/task_queue.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "server/scheduling/thread_priority.h"

namespace slice {

class TaskQueue::Task final : public WorkItem {
 public:
  Task(const TaskOrder& order, std::function<void()> run)
      : run_(std::move(run)) {
    order_.client = order.client;
    order_.deadline = order.deadline;
    order_.cost = order.cost;
  }

  ServiceOrder order() const override { return order_; }
  bool cancelled() const override { return false; }
  void Run() const { run_(); }

 private:
  ServiceOrder order_;
  const std::function<void()> run_;
};

TaskQueue::TaskQueue(const TaskQueueOptions& options)
    : max_tasks_(options.max_tasks), tasks_(options.quantum) {
  const int threads = std::max(1, options.threads);
  threads_.reserve(threads);
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this, niceness = options.niceness] {
      BeNicer(niceness);
      Run();
    });
  }
}

TaskQueue::~TaskQueue() { Close(); }

bool TaskQueue::TryPost(const TaskOrder& order, std::function<void()> task) {
  {
    MutexLock lock(&mutex_);
    if (closed_ || tasks_.items() >= max_tasks_) return false;
    const auto own = of_host_.find(order.client.host);
    if (own != of_host_.end() && own->second >= max_tasks_ - tasks_.items()) {
      return false;
    }
    Push(order, std::move(task));
  }
  changed_.Signal();
  return true;
}

void TaskQueue::Continue(const TaskOrder& order, std::function<void()> task) {
  {
    MutexLock lock(&mutex_);
    Push(order, std::move(task));
  }
  changed_.Signal();
}

void TaskQueue::Push(const TaskOrder& order, std::function<void()> task) {
  auto* const queued = new Task(order, std::move(task));
  tasks_.Push({queued, queued->order(), absl::Time(), next_sequence_++});
  ++of_host_[order.client.host];
}

void TaskQueue::Close() {
  {
    MutexLock lock(&mutex_);
    closed_ = true;
  }
  changed_.SignalAll();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

size_t TaskQueue::size() const {
  MutexLock lock(&mutex_);
  return tasks_.items();
}

void TaskQueue::Run() {
  while (true) {
    std::unique_ptr<const Task> task;
    {
      MutexLock lock(&mutex_);
      while (tasks_.empty()) {
        if (closed_) return;
        changed_.Wait(&mutex_);
      }
      task.reset(static_cast<const Task*>(tasks_.Pop(nullptr)->item));
      const auto own = of_host_.find(task->order().client.host);
      if (--own->second == 0) of_host_.erase(own);
    }
    task->Run();
  }
}

}  // namespace slice
