#include "server/worker_threads.h"

#include <sys/resource.h>
#include <unistd.h>

namespace slice {

int NicenessOf(WorkLane lane) { return lane == WorkLane::kBulk ? 15 : 5; }

WorkerThreads::WorkerThreads(const std::vector<WorkLane>& lanes, int count,
                             const std::function<void(WorkLane)>& run) {
  for (const WorkLane lane : lanes) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([lane, run] {
        // Linux keeps the niceness of each thread apart. Relative to that of
        // the process, as a priority cannot be raised.
        const int niceness = getpriority(PRIO_PROCESS, 0) + NicenessOf(lane);
        setpriority(PRIO_PROCESS, gettid(), niceness);
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
