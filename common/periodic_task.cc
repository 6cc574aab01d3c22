#include "common/periodic_task.h"

#include <utility>

namespace slice {

PeriodicTask::PeriodicTask(absl::Duration interval, std::function<void()> task)
    : interval_(interval), task_(std::move(task)), thread_([this] { Run(); }) {}

PeriodicTask::~PeriodicTask() {
  {
    MutexLock lock(&mutex_);
    ended_ = true;
  }
  ended_now_.Signal();
  thread_.join();
}

void PeriodicTask::Run() {
  while (true) {
    {
      MutexLock lock(&mutex_);
      if (!ended_) ended_now_.WaitFor(&mutex_, interval_);
      if (ended_) return;
    }
    task_();
  }
}

}  // namespace slice
