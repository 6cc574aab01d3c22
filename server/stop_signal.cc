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

void StopSignal::OnHangUp(std::function<void()> act) {
  MutexLock lock(&hang_up_mutex_);
  on_hang_up_ = std::move(act);
}

// False when there is nothing to call.
bool StopSignal::HangUp() {
  MutexLock lock(&hang_up_mutex_);
  if (on_hang_up_ == nullptr) return false;
  on_hang_up_();
  return true;
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

void StopSignal::Run() {
  while (true) {
    int signal = 0;
    if (sigwait(&signals_, &signal) != 0) continue;
    if (signal == SIGHUP && HangUp()) continue;
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
