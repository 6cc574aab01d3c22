// The hosts that are kept out: their connections were closed as hostile
// (server/transport/call_guard.h), and they came back and did the same again.
#ifndef SLICE_SERVER_TRANSPORT_HOSTILE_HOSTS_H_
#define SLICE_SERVER_TRANSPORT_HOSTILE_HOSTS_H_

#include <cstddef>
#include <string>
#include <unordered_map>

#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"

namespace slice {

// Thread-safe. The first offence costs a host only the connection, because it
// may come from one of many clients behind a proxy. From the second offence on,
// the host is banned for a while: no connection of it is accepted.
class HostileHosts {
 public:
  // A flood is noticed within half a second. With one flood a minute, floods
  // take less than a hundredth of the time. So they do not change the 99th
  // percentile of the latency that other clients see.
  static constexpr absl::Duration kFirstBan = absl::Minutes(1);
  static constexpr absl::Duration kLongestBan = absl::Minutes(10);
  // A host without another offence for this long is forgotten.
  static constexpr absl::Duration kForgiven = absl::Minutes(5);

  // `clock` must outlive this object.
  explicit HostileHosts(const Clock* clock) : clock_(clock) {}

  // A connection of the host was closed as hostile. Returns how long the host
  // is banned from now on: zero after the first offence, then kFirstBan, then
  // twice as long each time, at most kLongestBan.
  absl::Duration Offends(const std::string& host);

  bool KeepsOut(const std::string& host) const;

  size_t size() const;  // hosts remembered

 private:
  struct Host {
    absl::Time out_until;  // end of the ban, or time of the first offence
    absl::Duration next_ban;
  };

  void Forgive(absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock* const clock_;
  mutable Mutex mutex_;
  std::unordered_map<std::string, Host> hosts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_HOSTILE_HOSTS_H_
