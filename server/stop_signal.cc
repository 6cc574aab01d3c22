#include "server/stop_signal.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/time/clock.h"
#include "common/logging.h"

namespace slice {
namespace {

// A signal within this time of the first one counts as the same signal.
constexpr absl::Duration kSameSignal = absl::Milliseconds(100);

// By default each of these would end the process.
constexpr int kIgnored[] = {SIGHUP, SIGUSR1, SIGUSR2};

bool IsIgnored(int signal) {
  return std::find(std::begin(kIgnored), std::end(kIgnored), signal) !=
         std::end(kIgnored);
}

}  // namespace

StopSignal::StopSignal() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, SIGINT);
  for (const int signal : kIgnored) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  receiver_ = std::thread([this] { ReceiveSignals(); });
  hang_up_thread_ = std::thread([this] { ActOnHangUps(); });
}

StopSignal::~StopSignal() {
  {
    MutexLock lock(&mutex_);
    closing_ = true;
    changed_.SignalAll();
  }
  pthread_kill(receiver_.native_handle(), SIGTERM);
  receiver_.join();
  hang_up_thread_.join();
}

void StopSignal::StartServing() {
  MutexLock lock(&mutex_);
  serving_ = true;
}

void StopSignal::OnHangUp(std::function<void()> act) {
  const bool takes_hang_ups = act != nullptr;
  {
    MutexLock call(&hang_up_mutex_);
    on_hang_up_ = std::move(act);
  }
  MutexLock lock(&mutex_);
  takes_hang_ups_ = takes_hang_ups;
}

void StopSignal::IgnoreHangUps() {
  MutexLock lock(&mutex_);
  takes_hang_ups_ = false;
  hang_up_waits_ = false;
}

// False when there is nothing to call.
bool StopSignal::NoteHangUp() {
  MutexLock lock(&mutex_);
  if (!takes_hang_ups_) return false;
  hang_up_waits_ = true;
  changed_.SignalAll();
  return true;
}

void StopSignal::CallOnHangUp() {
  MutexLock call(&hang_up_mutex_);
  if (on_hang_up_ != nullptr) on_hang_up_();
}

void StopSignal::ActOnHangUps() {
  while (true) {
    {
      MutexLock lock(&mutex_);
      while (!hang_up_waits_ && !closing_) changed_.Wait(&mutex_);
      if (closing_) return;
      hang_up_waits_ = false;
    }
    CallOnHangUp();
  }
}

void StopSignal::Wait() {
  MutexLock lock(&mutex_);
  while (!received_) changed_.Wait(&mutex_);
}

void StopSignal::Raise() {
  MutexLock lock(&mutex_);
  if (received_) return;
  received_ = true;
  first_time_ = absl::Now();
  changed_.SignalAll();
}

bool StopSignal::IsRaised() const {
  MutexLock lock(&mutex_);
  return received_;
}

void StopSignal::ReceiveSignals() {
  while (true) {
    int signal = 0;
    if (sigwait(&signals_, &signal) != 0) continue;
    if (signal == SIGHUP && NoteHangUp()) continue;
    if (IsIgnored(signal)) {
      LogWarning("signal %d does nothing here; SIGTERM stops the server",
                 signal);
      continue;
    }
    MutexLock lock(&mutex_);
    if (closing_) return;
    if (!serving_) _exit(0);
    if (received_) {
      if (absl::Now() - first_time_ < kSameSignal) continue;
      LogWarning("second signal: exiting at once");
      _exit(1);
    }
    received_ = true;
    first_time_ = absl::Now();
    changed_.SignalAll();
  }
}

}  // namespace slice
