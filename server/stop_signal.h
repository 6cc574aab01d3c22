// SIGTERM and SIGINT as something to wait for.
#ifndef SLICE_SERVER_STOP_SIGNAL_H_
#define SLICE_SERVER_STOP_SIGNAL_H_

#include <csignal>
#include <thread>

#include "absl/time/time.h"
#include "common/mutex.h"

namespace slice {

// Blocks SIGTERM and SIGINT in the calling thread and in those it starts later,
// and receives them on a thread of its own. The second signal ends the process
// at once, with exit status 1; those that come right after the first (a shell
// and `timeout` both send one) count as one. SIGHUP, SIGUSR1 and SIGUSR2 do
// nothing. Make one, first thing in main.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // Until called, the first signal ends the process at once too, with exit
  // status 0: there is nothing to answer yet.
  void StartServing();

  // Returns when the first signal came, or Raise was called.
  void Wait();

  // As if the first signal came. Thread-safe.
  void Raise();

 private:
  void Run();

  sigset_t signals_;

  Mutex mutex_;
  CondVar changed_;
  bool serving_ ABSL_GUARDED_BY(mutex_) = false;
  bool received_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Time first_time_ ABSL_GUARDED_BY(mutex_);
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

}  // namespace slice

#endif  // SLICE_SERVER_STOP_SIGNAL_H_
