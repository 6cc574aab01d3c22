#include "common/rate_limit.h"

#include <algorithm>
#include <utility>

namespace slice {

RateLimit::RateLimit(const Rate& rate, const Clock* clock)
    : rate_(rate), clock_(clock), permits_(rate.burst), filled_(clock->Now()) {}

std::optional<uint64_t> RateLimit::Take() {
  MutexLock lock(&mutex_);
  const absl::Time now = clock_->Now();
  permits_ += rate_.per_second * absl::ToDoubleSeconds(now - filled_);
  permits_ = std::min(permits_, rate_.burst);
  filled_ = now;
  if (permits_ < 1) {
    ++refused_;
    return std::nullopt;
  }
  permits_ -= 1;
  return std::exchange(refused_, 0);
}

}  // namespace slice
