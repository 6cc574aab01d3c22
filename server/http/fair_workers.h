// Threads that many hosts share.
#ifndef SLICE_SERVER_HTTP_FAIR_WORKERS_H_
#define SLICE_SERVER_HTTP_FAIR_WORKERS_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "common/mutex.h"

namespace slice {

// Runs work so that each host with work gets an equal share of the threads,
// however much a host asks for (start-time fair queueing; Goyal, Vin and Cheng,
// 1997). Thread-safe.
class FairWorkers {
 public:
  explicit FairWorkers(int threads);
  // Does all work that was asked for before.
  ~FairWorkers();

  // Runs `work` on one of the threads, after the earlier work of the same host
  // has begun. `cost` is how much work it is, in any unit that all callers
  // share; 0 counts as 1.
  void Run(const std::string& host, size_t cost, std::function<void()> work);

 private:
  struct Work {
    size_t cost = 1;
    std::function<void()> run;
  };
  struct Host {
    // The cost of its work so far, from a common start: the host with the least
    // is served next.
    uint64_t served = 0;
    std::deque<Work> waiting;  // may be empty
  };

  void RunAll();
  // REQUIRES: some host has work waiting.
  Work TakeNext() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Mutex mutex_;
  CondVar changed_;
  // A host without work is kept while it has been served more than `now_`, so
  // that it does not begin anew with its next work.
  std::map<std::string, Host> hosts_ ABSL_GUARDED_BY(mutex_);
  size_t waiting_ ABSL_GUARDED_BY(mutex_) = 0;  // work of all hosts
  // The most that a host had been served when its work was taken.
  uint64_t now_ ABSL_GUARDED_BY(mutex_) = 0;
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_FAIR_WORKERS_H_
