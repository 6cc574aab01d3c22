// Finds the connections that flood the server with calls: that begin calls to
// reset them ("rapid reset", CVE-2023-44487), or have more of them open than
// HTTP/2 allows. gRPC 1.51 takes such calls in faster than it gets rid of them,
// without any bound, and whoever else calls waits behind them.
#ifndef SLICE_SERVER_TRANSPORT_CALL_GUARD_H_
#define SLICE_SERVER_TRANSPORT_CALL_GUARD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"

namespace slice {

// Why a connection is closed.
enum class CallFlood { kResets, kOpenCalls };

// Thread-safe. Looks at one call of eight, and from some 250 calls of a host
// within a second on watches those to their end. A connection is hostile when
// most of the watched calls of its host end by a reset, those included that end
// with their connection; or when too many of its own are open at once. What
// cancels a call now and then, or calls at a low rate, is left alone.
class CallGuard {
 public:
  static constexpr uint64_t kSampling = 8;
  static constexpr size_t kUnwatchedCalls = 32;  // looked at, in a second
  static constexpr size_t kJudgedCalls = 32;     // then watched to their end
  // Watched ones. A client that obeys the setting of kMaxConcurrentStreams has
  // a quarter of that.
  static constexpr size_t kMaxOpenCalls = 64;

  // `close` is called with the peer of a hostile connection, with no lock held.
  // `clock` must outlive the guard.
  using Close = std::function<void(const std::string& peer, CallFlood why)>;
  CallGuard(const Clock* clock, Close close);

  // A call has begun; `peer` tells whose, if it is looked at. True when its
  // end is to be told as well.
  template <typename Peer>
  bool Begin(const Peer& peer) {
    const uint64_t number = calls_.fetch_add(1, std::memory_order_relaxed);
    return number % kSampling == 0 && Watches(peer());
  }

  // A watched call has ended.
  void End(const std::string& peer, bool was_reset);

  size_t hosts() const;  // remembered

 private:
  struct Connection {
    size_t open = 0;  // of the calls that are watched
    absl::Time closed = absl::InfinitePast();
  };
  struct Host {
    absl::Time window;  // start of the second that is counted
    size_t calls = 0;
    size_t ended = 0, reset = 0;  // of those watched
    std::unordered_map<std::string, Connection> connections;  // by peer
  };

  bool Watches(const std::string& peer);
  void ForgetQuiet(absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock* const clock_;
  const Close close_;
  std::atomic<uint64_t> calls_{0};

  mutable Mutex mutex_;
  std::unordered_map<std::string, Host> hosts_ ABSL_GUARDED_BY(mutex_);
  absl::Time swept_ ABSL_GUARDED_BY(mutex_);
};

// Ends the TCP connections of this process whose other end is `peer`, as gRPC
// writes it ("ipv4:10.0.0.1:50432"). Returns how many there were. gRPC has no
// way to say so.
size_t CloseConnectionsOf(std::string_view peer);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_CALL_GUARD_H_
