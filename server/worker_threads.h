// The threads that do the work of a stage, with priorities that let the
// operating system share the cores as the queues share the batches.
#ifndef SLICE_SERVER_WORKER_THREADS_H_
#define SLICE_SERVER_WORKER_THREADS_H_

#include <functional>
#include <thread>
#include <vector>

#include "server/work_item.h"

namespace slice {

// Work yields to the network, else a server that is asked too much would not
// find the time to refuse: it is so much nicer (setpriority(2)).
inline constexpr int kWorkNiceness = 5;

// Lowers the priority of the calling thread, and of those it will start. Where
// the system refuses, it stays.
void BeNicer(int niceness);

class WorkerThreads {
 public:
  // Starts `count` threads per lane, each of which calls `run` once. Those of
  // the bulk lane have the policy SCHED_IDLE: whoever else wakes up takes the
  // core from them at once, not at the next tick of the clock (4 ms at 250 Hz).
  // The others are nicer by `niceness`. A system that does not lower priorities
  // is put up with.
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

#endif  // SLICE_SERVER_WORKER_THREADS_H_
