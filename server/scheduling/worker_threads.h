// The threads that do the work of a stage. Their priorities make the operating
// system share the cores between the classes as the queues share the batches.
#ifndef SLICE_SERVER_SCHEDULING_WORKER_THREADS_H_
#define SLICE_SERVER_SCHEDULING_WORKER_THREADS_H_

#include <functional>
#include <thread>
#include <vector>

#include "server/scheduling/work_item.h"

namespace slice {

// Niceness of work above that of the threads of the network (setpriority(2)):
// otherwise an overloaded server would not find the time to refuse requests.
// Each step costs a fifth of the thread's share of a core beside other
// programs, so there are few steps.
inline constexpr int kWorkNiceness = 2;

// Niceness of bulk work. On a core that other programs keep busy, a bulk thread
// still gets a sixth to a third of the time of one of their threads. The policy
// SCHED_IDLE would leave it three thousandths.
inline constexpr int kBulkNiceness = 7;

// Lowers the priority of the calling thread and of the threads that it will
// start. Does nothing where the system refuses.
void BeNicer(int niceness);

class WorkerThreads {
 public:
  // Starts `count` threads per lane; each of them calls `run` once. The threads
  // of the bulk lane get kBulkNiceness and the policy SCHED_BATCH, with which a
  // thread that wakes up does not take a core from a running thread; BulkTurns
  // decides when they give up their core. The threads of other lanes get
  // `niceness`. A system that refuses lower priorities is no error.
  WorkerThreads(const std::vector<WorkLane>& lanes, int count,
                const std::function<void(WorkLane)>& run,
                int niceness = kWorkNiceness);
  ~WorkerThreads() { Join(); }
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  // Waits until all have returned. Idempotent.
  void Join();

 private:
  std::vector<std::thread> threads_;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_WORKER_THREADS_H_
