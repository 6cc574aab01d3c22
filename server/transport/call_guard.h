// Finds the connections that flood the server with calls. Such a connection
// begins calls only to reset them ("rapid reset", CVE-2023-44487), has more
// calls open than the HTTP/2 settings of the server allow, or goes on calling
// although its quota is used up. gRPC 1.51 takes in such calls without a bound
// and faster than it ends them, and the calls of other clients wait behind
// them.
#ifndef SLICE_SERVER_TRANSPORT_CALL_GUARD_H_
#define SLICE_SERVER_TRANSPORT_CALL_GUARD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"

namespace slice {

// Why a connection is closed.
enum class CallFlood { kResets, kOpenCalls, kRefused };

// How a call ended.
enum class CallOutcome {
  kReset,         // by the client, before its deadline
  kQuotaRefused,  // the quota of its caller was used up
  kOther,
};

// Thread-safe. Samples one call of eight. When a host has made about 250 calls
// within a second, the guard watches its further sampled calls to their end. A
// connection is hostile when most of the watched calls of its host end by a
// reset (the end of the connection counts as a reset of its calls) or are
// refused for a quota, or when too many of its own watched calls are open at
// once. The guard leaves a client alone that cancels a call now and then, or
// that calls at a low rate. It also leaves a client alone that waits for as
// long as a refusal asks.
class CallGuard {
 public:
  // One call of this many is sampled.
  static constexpr uint64_t kSampling = 8;
  // After this many sampled calls of a host within a second, its further
  // sampled calls are watched.
  static constexpr size_t kUnwatchedCalls = 32;
  // A host is judged each time this many of its watched calls have ended.
  static constexpr size_t kJudgedCalls = 32;
  // Watched calls that a connection may have open. A client that obeys
  // kMaxConcurrentStreams (server/limits.h) has a quarter of this.
  static constexpr size_t kMaxOpenCalls = 64;

  // The guard calls `close` with the peer of a hostile connection and holds no
  // lock meanwhile. `clock` must outlive the guard.
  using Close = std::function<void(const std::string& peer, CallFlood why)>;
  CallGuard(const Clock* clock, Close close);

  // A call has begun. `peer` returns the peer of the call; it is called only
  // when the call is sampled. Returns true when the call is watched: then the
  // caller must report its end, too (End).
  template <typename Peer>
  bool Begin(const Peer& peer) {
    const uint64_t number = calls_.fetch_add(1, std::memory_order_relaxed);
    return number % kSampling == 0 && Watches(peer());
  }

  // A watched call has ended.
  void End(const std::string& peer, CallOutcome how);

  size_t hosts() const;  // hosts remembered now

 private:
  struct Connection {
    size_t open = 0;  // watched calls that are open
    absl::Time closed = absl::InfinitePast();
  };
  struct Host {
    absl::Time window;  // start of the second that is counted
    size_t calls = 0;   // sampled within the window
    // Watched calls since the last judgement.
    size_t ended = 0, reset = 0, refused = 0;
    std::unordered_map<std::string, Connection> connections;  // by peer
  };

  bool Watches(const std::string& peer);
  // The flood that the ended calls of the host are, if it is time to judge.
  static std::optional<CallFlood> Judge(Host& host);
  void ForgetQuiet(absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock* const clock_;
  const Close close_;
  std::atomic<uint64_t> calls_{0};

  mutable Mutex mutex_;
  std::unordered_map<std::string, Host> hosts_ ABSL_GUARDED_BY(mutex_);
  absl::Time swept_ ABSL_GUARDED_BY(mutex_);
};

// Ends the TCP connections of this process to `peer`, which is written as in
// gRPC ("ipv4:10.0.0.1:50432"), and returns their number. gRPC has no call that
// does this.
size_t CloseConnectionsOf(std::string_view peer);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_CALL_GUARD_H_
