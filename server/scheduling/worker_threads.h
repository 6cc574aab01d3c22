// The threads that do the work of a stage. Their priorities make the operating
// system share the cores between the classes as the queues share the batches.
#ifndef SLICE_SERVER_SCHEDULING_WORKER_THREADS_H_
#define SLICE_SERVER_SCHEDULING_WORKER_THREADS_H_

#include <functional>
#include <thread>
#include <vector>

#include "server/scheduling/work_item.h"

namespace slice {

// The niceness of workers is this much above that of gRPC's threads
// (setpriority(2)). With equal niceness, an overloaded server would not find
// the time to refuse requests. Beside other programs, each step of niceness
// costs a thread a fifth of its share of a core, so there are few steps.
inline constexpr int kWorkNiceness = 2;

// The same for bulk workers. On a core that other programs keep busy, a bulk
// thread still gets a sixth to a third of the time of one of their threads.
// With the policy SCHED_IDLE it would get only three thousandths.
inline constexpr int kBulkNiceness = 7;

class WorkerThreads {
 public:
  // Starts `count` threads per lane; each thread calls `run` once. The threads
  // of the bulk lane get kBulkNiceness and the policy SCHED_BATCH. With this
  // policy, a thread that wakes up does not take a core from a running thread.
  // BulkTurns decides when bulk threads give up their core. The threads of
  // other lanes get `niceness`. When the system refuses lower priorities, that
  // is no error.
  WorkerThreads(const std::vector<WorkLane>& lanes, int count,
                const std::function<void(WorkLane)>& run,
                int niceness = kWorkNiceness);
  ~WorkerThreads() { Join(); }
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  // Waits until `run` has returned in all threads. Idempotent.
  void Join();

 private:
  std::vector<std::thread> threads_;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_WORKER_THREADS_H_
