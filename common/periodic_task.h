// Calls a function again and again, on a thread of its own.
#ifndef SLICE_COMMON_PERIODIC_TASK_H_
#define SLICE_COMMON_PERIODIC_TASK_H_

#include <functional>
#include <thread>

#include "absl/time/time.h"
#include "common/mutex.h"

namespace slice {

class PeriodicTask {
 public:
  // Calls `task` once in `interval`, for the first time after one interval,
  // until the object is destroyed. The destructor waits for a call under way.
  PeriodicTask(absl::Duration interval, std::function<void()> task);
  ~PeriodicTask();
  PeriodicTask(const PeriodicTask&) = delete;
  PeriodicTask& operator=(const PeriodicTask&) = delete;

 private:
  void Run();

  const absl::Duration interval_;
  const std::function<void()> task_;
  Mutex mutex_;
  CondVar ended_now_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace slice

#endif  // SLICE_COMMON_PERIODIC_TASK_H_
