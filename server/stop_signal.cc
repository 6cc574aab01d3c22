#include "server/stop_signal.h"

#include <pthread.h>
#include <unistd.h>

#include "common/logging.h"

namespace slice {

StopSignal::StopSignal() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  thread_ = std::thread([this] { Run(); });
}

StopSignal::~StopSignal() {
  {
    MutexLock lock(&mutex_);
    closing_ = true;
  }
  pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
}

void StopSignal::StartServing() {
  MutexLock lock(&mutex_);
  serving_ = true;
}

void StopSignal::Wait() {
  MutexLock lock(&mutex_);
  while (!received_) changed_.Wait(&mutex_);
}

void StopSignal::Run() {
  while (true) {
    int signal = 0;
    if (sigwait(&signals_, &signal) != 0) continue;
    MutexLock lock(&mutex_);
    if (closing_) return;
    if (!serving_) _exit(0);
    if (received_) {
      LogWarning("second signal: exiting at once");
      _exit(1);
    }
    received_ = true;
    changed_.SignalAll();
  }
}

}  // namespace slice
