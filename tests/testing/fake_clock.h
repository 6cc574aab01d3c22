// A clock that moves only when told to.
#ifndef SLICE_TESTS_TESTING_FAKE_CLOCK_H_
#define SLICE_TESTS_TESTING_FAKE_CLOCK_H_

#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"

namespace slice {

// Thread-safe.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(absl::Time now = absl::FromUnixSeconds(1'000'000'000))
      : now_(now) {}

  absl::Time Now() const override {
    MutexLock lock(&mutex_);
    return now_;
  }

  void Advance(absl::Duration duration) {
    MutexLock lock(&mutex_);
    now_ += duration;
  }

  void Set(absl::Time now) {
    MutexLock lock(&mutex_);
    now_ = now;
  }

 private:
  mutable Mutex mutex_;
  absl::Time now_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_FAKE_CLOCK_H_
