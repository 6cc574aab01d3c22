// How often something may happen: a bucket of turns that is filled at a rate.
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
  double burst = 500;  // at once, after a rest
};

// Thread-safe.
class RateLimit {
 public:
  // `clock` must outlive it.
  RateLimit(const Rate& rate, const Clock* clock);

  // Takes a turn: how many were refused since the last one that was given;
  // nullopt when there is none now.
  std::optional<uint64_t> Take();

 private:
  const Rate rate_;
  const Clock* const clock_;

  Mutex mutex_;
  double turns_ ABSL_GUARDED_BY(mutex_);
  absl::Time filled_ ABSL_GUARDED_BY(mutex_);
  uint64_t refused_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace slice

#endif  // SLICE_COMMON_RATE_LIMIT_H_
