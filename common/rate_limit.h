// Limits how often something may happen: a bucket of permits that fills at a
// steady rate (a token bucket).
#ifndef SLICE_COMMON_RATE_LIMIT_H_
#define SLICE_COMMON_RATE_LIMIT_H_

#include <cstdint>
#include <optional>

#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"

namespace slice {

struct Rate {
  double per_second = 100;
  double burst = 500;  // permits that a full bucket holds
};

// Thread-safe.
class RateLimit {
 public:
  // Starts with a full bucket. `clock` must outlive the limit.
  RateLimit(const Rate& rate, const Clock* clock);

  // Takes a permit. Returns how many calls were refused since the last permit,
  // or nullopt when there is no permit now.
  std::optional<uint64_t> Take();

 private:
  const Rate rate_;
  const Clock* const clock_;

  Mutex mutex_;
  double permits_ ABSL_GUARDED_BY(mutex_);
  absl::Time filled_ ABSL_GUARDED_BY(mutex_);
  uint64_t refused_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace slice

#endif  // SLICE_COMMON_RATE_LIMIT_H_
