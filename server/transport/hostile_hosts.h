// Which hosts are kept out: those whose connections were closed as hostile
// (server/transport/call_guard.h) and that came back to do the same.
#ifndef SLICE_SERVER_TRANSPORT_HOSTILE_HOSTS_H_
#define SLICE_SERVER_TRANSPORT_HOSTILE_HOSTS_H_

#include <cstddef>
#include <string>
#include <unordered_map>

#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"

namespace slice {

// Thread-safe. A host's first offence costs it the connection alone: it may
// come from one client of many behind a proxy. From the next one on no
// connection of the host is taken in for a while.
class HostileHosts {
 public:
  // A flood is seen within half a second. Once a minute it takes less than a
  // hundredth of the time, and leaves the 99th percentile of others alone.
  static constexpr absl::Duration kFirstBan = absl::Minutes(1);
  static constexpr absl::Duration kLongestBan = absl::Minutes(10);
  // After so long without another offence a host is as good as any.
  static constexpr absl::Duration kForgiven = absl::Minutes(5);

  // `clock` must outlive it.
  explicit HostileHosts(const Clock* clock) : clock_(clock) {}

  // A connection of the host was closed as hostile. Returns for how long no
  // other one is taken in: not at all, then kFirstBan, then twice as long each
  // time.
  absl::Duration Offends(const std::string& host);

  bool KeepsOut(const std::string& host) const;

  size_t size() const;  // hosts remembered

 private:
  struct Host {
    absl::Time out_until;  // or of its offence, without a ban
    absl::Duration next_ban;
  };

  void Forgive(absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Clock* const clock_;
  mutable Mutex mutex_;
  std::unordered_map<std::string, Host> hosts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_HOSTILE_HOSTS_H_
