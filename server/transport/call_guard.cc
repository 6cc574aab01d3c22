// Per host the guard counts the sampled calls within a second, the watched
// calls that ended, and those of them that were reset or refused. Per
// connection it counts the watched calls that are open. gRPC offers no call
// that closes a connection, so its socket is shut down: CloseConnectionsOf
// finds the descriptor in /proc/self/fd by the address of the peer. After that
// the guard ignores the ends of the remaining calls of that peer for a second.
// Quiet hosts are forgotten, so that memory is bounded by the hosts of the last
// seconds.
#include "server/transport/call_guard.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "server/transport/peer_address.h"

namespace slice {
namespace {

constexpr absl::Duration kWindow = absl::Seconds(1);
// A host without a call for this long is forgotten.
constexpr absl::Duration kForgotten = absl::Seconds(10);

// Shuts down the connection of `descriptor` if it is of `peer`. Works on a
// duplicate, which stays with its connection, whereas the number `descriptor`
// may pass to another connection at any time.
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
    Host& host = hosts_[PeerHost(peer)];
    if (now - host.window >= kWindow) {
      host.window = now;
      host.calls = 0;
    }
    if (++host.calls <= kUnwatchedCalls) return false;
    Connection& connection = host.connections[peer];
    if (++connection.open <= kMaxOpenCalls) return true;
    if (now - connection.closed < kWindow) return true;
    connection.closed = now;
  }
  close_(peer, CallFlood::kOpenCalls);
  return true;
}

std::optional<CallFlood> CallGuard::Judge(Host& host) {
  if (host.ended < kJudgedCalls) return std::nullopt;
  const size_t ended = std::exchange(host.ended, 0);
  const size_t reset = std::exchange(host.reset, 0);
  const size_t refused = std::exchange(host.refused, 0);
  if (2 * reset > ended) return CallFlood::kResets;
  if (2 * refused > ended) return CallFlood::kRefused;
  return std::nullopt;
}

void CallGuard::End(const std::string& peer, CallOutcome how) {
  const absl::Time now = clock_->Now();
  std::optional<CallFlood> flood;
  {
    MutexLock lock(&mutex_);
    const auto found = hosts_.find(PeerHost(peer));
    if (found == hosts_.end()) return;
    Host& host = found->second;
    Connection& connection = host.connections[peer];
    if (connection.open > 0) --connection.open;
    // A remaining call of a connection that was closed. Later the same peer may
    // be another connection.
    if (now - connection.closed < kWindow) return;
    ++host.ended;
    if (how == CallOutcome::kReset) ++host.reset;
    if (how == CallOutcome::kQuotaRefused) ++host.refused;
    flood = Judge(host);
    if (!flood.has_value()) return;
    connection.closed = now;
  }
  close_(peer, *flood);
}

void CallGuard::ForgetQuiet(absl::Time now) {
  if (now - swept_ < kForgotten) return;
  swept_ = now;
  for (auto& [name, host] : hosts_) {
    std::erase_if(host.connections, [now](const auto& connection) {
      return connection.second.open == 0 &&
             now - connection.second.closed >= kWindow;
    });
  }
  std::erase_if(hosts_, [now](const auto& host) {
    return host.second.connections.empty() &&
           now - host.second.window >= kForgotten;
  });
}

size_t CallGuard::hosts() const {
  MutexLock lock(&mutex_);
  return hosts_.size();
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
