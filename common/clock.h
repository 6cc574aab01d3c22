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

  // The machine's clock when the process first asked for it, and the time that
  // has passed since: setting the machine's clock changes nothing. Never
  // destroyed.
  static const Clock* Real();
};

}  // namespace slice

#endif  // SLICE_COMMON_CLOCK_H_
