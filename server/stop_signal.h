// Turns SIGTERM and SIGINT into an event to wait for, and SIGHUP into a call.
#ifndef SLICE_SERVER_STOP_SIGNAL_H_
#define SLICE_SERVER_STOP_SIGNAL_H_

#include <csignal>
#include <functional>
#include <thread>

#include "absl/time/time.h"
#include "common/mutex.h"

namespace slice {

// Blocks SIGTERM and SIGINT in the calling thread and in the threads that it
// starts later, and receives them on a thread of its own. The second signal
// ends the process at once with exit status 1. A signal within 100 ms of the
// first one counts as the first one, because a shell and `timeout` may both
// send a signal. SIGUSR1 and SIGUSR2, and SIGHUP before OnHangUp, are logged
// and ignored. Make one object, before any thread starts.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // Tells that there are requests to answer from now on. Before this call, the
  // first signal ends the process at once with exit status 0.
  void StartServing();

  // From now on, SIGHUP calls `act` (which may be null) on a thread of its own,
  // so that other signals are received meanwhile. A SIGHUP during a call makes
  // one more call after it. Waits for a call of the function from before.
  void OnHangUp(std::function<void()> act);
  // From now on SIGHUP does nothing. Does not wait for a call under way, which
  // OnHangUp(nullptr) does.
  void IgnoreHangUps();

  // Returns once the first signal has come or Raise was called.
  void Wait();

  // Acts as the first signal does. Thread-safe.
  void Raise();
  // Whether the first signal has come or Raise was called. Thread-safe.
  bool IsRaised() const;

 private:
  void ReceiveSignals();
  void ActOnHangUps();
  bool NoteHangUp();
  void CallOnHangUp();

  sigset_t signals_;

  mutable Mutex mutex_;
  CondVar changed_;
  bool serving_ ABSL_GUARDED_BY(mutex_) = false;
  bool received_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Time first_time_ ABSL_GUARDED_BY(mutex_);
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  bool takes_hang_ups_ ABSL_GUARDED_BY(mutex_) = false;
  bool hang_up_waits_ ABSL_GUARDED_BY(mutex_) = false;

  Mutex hang_up_mutex_;  // held during the call
  std::function<void()> on_hang_up_ ABSL_GUARDED_BY(hang_up_mutex_);

  std::thread receiver_, hang_up_thread_;
};

}  // namespace slice

#endif  // SLICE_SERVER_STOP_SIGNAL_H_
