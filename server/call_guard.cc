#include "server/call_guard.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "server/peer_address.h"

namespace slice {
namespace {

constexpr absl::Duration kWindow = absl::Seconds(1);
constexpr absl::Duration kForgotten = absl::Seconds(10);

// A descriptor of ours cannot become that of another connection meanwhile.
bool CloseIfOf(const PeerAddress& peer, int descriptor) {
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return false;
  const bool found = PeerAddress::OfSocket(own) == peer;
  if (found) shutdown(own, SHUT_RDWR);
  close(own);
  return found;
}

}  // namespace

CallGuard::CallGuard(const Clock* clock, Close close)
    : clock_(clock), close_(std::move(close)), swept_(clock->Now()) {}

bool CallGuard::Watches(const std::string& peer) {
  const absl::Time now = clock_->Now();
  {
    MutexLock lock(&mutex_);
    ForgetQuiet(now);
    Connection& connection = connections_[peer];
    if (now - connection.window >= kWindow) {
      connection.window = now;
      connection.calls = 0;
    }
    if (++connection.calls <= kUnwatchedCalls) return false;
    if (++connection.open <= kMaxOpenCalls) return true;
    if (now - connection.closed < kWindow) return true;
    connection.closed = now;
  }
  close_(peer, CallFlood::kOpenCalls);
  return true;
}

void CallGuard::End(const std::string& peer, bool was_reset) {
  const absl::Time now = clock_->Now();
  {
    MutexLock lock(&mutex_);
    const auto found = connections_.find(peer);
    if (found == connections_.end()) return;
    Connection& connection = found->second;
    if (connection.open > 0) --connection.open;
    // What is left of a closed one; later its port may be another's.
    if (now - connection.closed < kWindow) return;
    ++connection.ended;
    if (was_reset) ++connection.reset;
    if (connection.ended < kJudgedCalls) return;
    const bool is_hostile = 2 * connection.reset > connection.ended;
    connection.ended = connection.reset = 0;
    if (!is_hostile) return;
    connection.closed = now;
  }
  close_(peer, CallFlood::kResets);
}

void CallGuard::ForgetQuiet(absl::Time now) {
  if (now - swept_ < kForgotten) return;
  swept_ = now;
  std::erase_if(connections_, [now](const auto& entry) {
    return entry.second.open == 0 && now - entry.second.window >= kForgotten;
  });
}

size_t CallGuard::connections() const {
  MutexLock lock(&mutex_);
  return connections_.size();
}

size_t CloseConnectionsOf(std::string_view peer) {
  const auto wanted = PeerAddress::Parse(peer);
  if (!wanted.has_value()) return 0;
  size_t closed = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", error), end;
       !error && entry != end; entry.increment(error)) {
    if (CloseIfOf(*wanted, std::atoi(entry->path().filename().c_str())))
      ++closed;
  }
  return closed;
}

}  // namespace slice
