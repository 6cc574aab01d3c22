// The threads that do the work of a stage, with priorities that let the
// operating system share the cores as the queues share the batches.
#ifndef SLICE_SERVER_SCHEDULING_WORKER_THREADS_H_
#define SLICE_SERVER_SCHEDULING_WORKER_THREADS_H_

#include <functional>
#include <thread>
#include <vector>

#include "server/scheduling/work_item.h"

namespace slice {

// How much nicer work is than the network (setpriority(2)): else a server that
// is asked too much would not find the time to refuse. Every step costs a fifth
// of the share beside the threads of other programs, so there are few.
inline constexpr int kWorkNiceness = 2;

// The same for bulk work. On cores that other programs keep busy it still gets
// a third of what one of their threads does, or a sixth. The policy SCHED_IDLE
// would leave it three thousandths.
inline constexpr int kBulkNiceness = 7;

// Lowers the priority of the calling thread, and of those it will start. Where
// the system refuses, it stays.
void BeNicer(int niceness);

class WorkerThreads {
 public:
  // Starts `count` threads per lane, each of which calls `run` once. Those of
  // the bulk lane are nicer by kBulkNiceness, and of the policy SCHED_BATCH:
  // when they wake up they do not take the core from whoever has it. When they
  // give it up is for BulkTurns. The others are nicer by `niceness`. A system
  // that does not lower priorities is put up with.
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
