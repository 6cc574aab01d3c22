#include "server/transport/request_bounds.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

// After <netinet/in.h>. <netinet/tcp.h> knows an older tcp_info.
#include <linux/tcp.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/time/clock.h"

namespace slice {
namespace {

constexpr absl::Duration kInterval = absl::Milliseconds(10);
constexpr uint8_t kClosed = 7;  // TCP_CLOSE

uint16_t OwnPort(int descriptor) {
  sockaddr_storage own = {};
  socklen_t size = sizeof(own);
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &size) != 0 ||
      (own.ss_family != AF_INET && own.ss_family != AF_INET6)) {
    return 0;
  }
  // The port is in the same place for IPv4 and IPv6.
  return ntohs(reinterpret_cast<const sockaddr_in&>(own).sin_port);
}

bool IsConnected(int descriptor) {
  sockaddr_storage peer = {};
  socklen_t size = sizeof(peer);
  return getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) ==
         0;
}

// Without the wait for the other end that would keep the connection in the
// kernel.
void End(int descriptor) {
  const linger at_once = {.l_onoff = 1, .l_linger = 0};
  setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  shutdown(descriptor, SHUT_RDWR);
}

// What the kernel knows of a connection; that of a closed one when it knows
// nothing.
tcp_info InfoOf(int descriptor) {
  tcp_info info = {};
  socklen_t size = sizeof(info);
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
    info.tcpi_state = kClosed;
  }
  return info;
}

}  // namespace

RequestBounds::RequestBounds() : task_(kInterval, [this] { EndLongOnes(); }) {}

void RequestBounds::WatchNew(uint16_t port) {
  std::error_code error;
  MutexLock lock(&mutex_);
  for (std::filesystem::directory_iterator entry("/proc/self/fd", error), end;
       !error && entry != end; entry.increment(error)) {
    Add(std::atoi(entry->path().filename().c_str()), port);
  }
}

void RequestBounds::Add(int descriptor, uint16_t port) {
  if (OwnPort(descriptor) != port || !IsConnected(descriptor)) return;
  auto own =
      std::make_unique<FileDescriptor>(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
  struct stat file = {};
  if (!own->ok() || fstat(own->get(), &file) != 0) return;
  connections_.try_emplace(file.st_ino,
                           Connection{std::move(own), absl::Now()});
}

void RequestBounds::EndLongOnes() {
  const absl::Time now = absl::Now();
  MutexLock lock(&mutex_);
  std::erase_if(connections_, [now](const auto& entry) {
    const Connection& connection = entry.second;
    const tcp_info info = InfoOf(connection.descriptor->get());
    if (info.tcpi_bytes_received > kMostBytes ||
        now - connection.since > kMostTime) {
      End(connection.descriptor->get());
      return true;
    }
    return info.tcpi_state == kClosed ||
           !IsConnected(connection.descriptor->get());
  });
}

size_t RequestBounds::watched() const {
  MutexLock lock(&mutex_);
  return connections_.size();
}

}  // namespace slice
