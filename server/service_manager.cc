#include "server/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/file_descriptor.h"
#include "common/logging.h"

namespace slice {
namespace {

constexpr int kSignsPerPeriod = 4;

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The period of the watchdog, if it is this process that it watches.
absl::Duration WatchdogOfEnvironment() {
  const std::string process = Variable("WATCHDOG_PID");
  if (!process.empty() && process != absl::StrCat(getpid())) return {};
  int64_t microseconds = 0;
  if (!absl::SimpleAtoi(Variable("WATCHDOG_USEC"), &microseconds)) return {};
  return absl::Microseconds(microseconds);
}

// systemd compares this with its own clock, to tell one reload from another.
std::string MonotonicMicroseconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return absl::StrCat(int64_t{now.tv_sec} * 1000000 + now.tv_nsec / 1000);
}

std::string StatusLine(std::string_view status) {
  return absl::StrCat(
      "STATUS=",
      absl::StrReplaceAll({status.data(), status.size()}, {{"\n", " "}}));
}

}  // namespace

ServiceManager ServiceManager::FromEnvironment() {
  return ServiceManager(Variable("NOTIFY_SOCKET"), WatchdogOfEnvironment());
}

ServiceManager::~ServiceManager() { StopKeepingAlive(); }

void ServiceManager::Ready(std::string_view status) {
  Send(absl::StrCat("READY=1\n", StatusLine(status)));
}

void ServiceManager::Reloading() {
  Send(absl::StrCat("RELOADING=1\nMONOTONIC_USEC=", MonotonicMicroseconds(),
                    "\nSTATUS=reading the configuration again"));
}

void ServiceManager::Stopping() {
  Send("STOPPING=1\nSTATUS=answering what was admitted");
}

void ServiceManager::KeepAlive(
    std::function<bool(absl::Duration limit)> alive) {
  if (socket_.empty() || watchdog_ <= absl::ZeroDuration()) return;
  thread_ = std::thread([this, alive = std::move(alive)] { Watch(alive); });
}

void ServiceManager::Watch(const std::function<bool(absl::Duration)>& alive) {
  const absl::Duration part = watchdog_ / kSignsPerPeriod;
  while (true) {
    if (alive(part)) Send("WATCHDOG=1");
    MutexLock lock(&mutex_);
    if (!closing_) changed_.WaitFor(&mutex_, part);
    if (closing_) return;
  }
}

void ServiceManager::StopKeepingAlive() {
  {
    MutexLock lock(&mutex_);
    closing_ = true;
    changed_.SignalAll();
  }
  if (thread_.joinable()) thread_.join();
}

void ServiceManager::Send(std::string_view message) const {
  if (socket_.empty()) return;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (socket_.size() >= sizeof(address.sun_path)) {
    LogWarning("NOTIFY_SOCKET is too long for a socket: %s", socket_);
    return;
  }
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  // The first byte of an abstract name is zero.
  if (socket_[0] == '@') address.sun_path[0] = '\0';
  const auto size =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const FileDescriptor descriptor(
      socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!descriptor.ok() ||
      sendto(descriptor.get(), message.data(), message.size(), MSG_NOSIGNAL,
             reinterpret_cast<const sockaddr*>(&address), size) < 0) {
    LogWarning("cannot tell the service manager at %s: %s", socket_,
               std::strerror(errno));
  }
}

}  // namespace slice
