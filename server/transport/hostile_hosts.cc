#include "server/transport/hostile_hosts.h"

#include <algorithm>

namespace slice {

absl::Duration HostileHosts::Offends(const std::string& host) {
  const absl::Time now = clock_->Now();
  MutexLock lock(&mutex_);
  Forgive(now);
  const auto [at, is_first] = hosts_.try_emplace(host, Host{now, kFirstBan});
  if (is_first) return absl::ZeroDuration();
  Host& known = at->second;
  // During a ban: another connection that was open before the ban.
  if (now < known.out_until) return known.out_until - now;
  const absl::Duration ban = known.next_ban;
  known = {now + ban, std::min(2 * ban, kLongestBan)};
  return ban;
}

bool HostileHosts::KeepsOut(const std::string& host) const {
  MutexLock lock(&mutex_);
  const auto found = hosts_.find(host);
  return found != hosts_.end() && clock_->Now() < found->second.out_until;
}

size_t HostileHosts::size() const {
  MutexLock lock(&mutex_);
  return hosts_.size();
}

void HostileHosts::Forgive(absl::Time now) {
  std::erase_if(hosts_, [now](const auto& entry) {
    return now - entry.second.out_until >= kForgiven;
  });
}

}  // namespace slice
