#include "server/task_queue.h"

#include <algorithm>
#include <utility>

#include "server/worker_threads.h"

namespace slice {

TaskQueue::TaskQueue(int threads, size_t max_tasks, int niceness)
    : max_tasks_(max_tasks) {
  threads_.reserve(std::max(1, threads));
  for (int i = 0; i < std::max(1, threads); ++i) {
    threads_.emplace_back([this, niceness] {
      BeNicer(niceness);
      Run();
    });
  }
}

TaskQueue::~TaskQueue() { Close(); }

bool TaskQueue::TryPost(std::function<void()> task) {
  {
    MutexLock lock(&mutex_);
    if (closed_ || tasks_.size() >= max_tasks_) return false;
    tasks_.push_back(std::move(task));
  }
  changed_.Signal();
  return true;
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
  return tasks_.size();
}

void TaskQueue::Run() {
  while (true) {
    std::function<void()> task;
    {
      MutexLock lock(&mutex_);
      while (tasks_.empty()) {
        if (closed_) return;
        changed_.Wait(&mutex_);
      }
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace slice
