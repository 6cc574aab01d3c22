#include "server/scheduling/worker_threads.h"

#include <sched.h>
#include <unistd.h>

#include "server/scheduling/thread_priority.h"

namespace slice {
namespace {

void LowerPriority(WorkLane lane, int niceness) {
  if (lane != WorkLane::kBulk) {
    BeNicer(niceness);
    return;
  }
  const sched_param none = {};
  sched_setscheduler(gettid(), SCHED_BATCH, &none);
  BeNicer(kBulkNiceness);
}

}  // namespace

WorkerThreads::WorkerThreads(const std::vector<WorkLane>& lanes, int count,
                             const std::function<void(WorkLane)>& run,
                             int niceness) {
  for (const WorkLane lane : lanes) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([lane, run, niceness] {
        LowerPriority(lane, niceness);
        run(lane);
      });
    }
  }
}

void WorkerThreads::Join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace slice
