// Time as an interface, so that deadlines and rates can be tested without
// sleeping.
#ifndef SLICE_COMMON_CLOCK_H_
#define SLICE_COMMON_CLOCK_H_

#include "absl/time/time.h"

namespace slice {

// Thread-safe. The fake lives in tests/testing/fake_clock.h.
class Clock {
 public:
  virtual ~Clock() = default;

  // The current time.
  virtual absl::Time Now() const = 0;

  // A clock that reads the machine's time once, at the first call of Real, and
  // then adds the time that a steady clock measures. So setting the machine's
  // time later does not change it. The clock is never destroyed.
  static const Clock* Real();
};

}  // namespace slice

#endif  // SLICE_COMMON_CLOCK_H_
