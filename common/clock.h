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

  // Reads the machine's clock once, at the first call, and adds the time that
  // has passed since by a steady clock: setting the machine's clock later
  // changes nothing. Never destroyed.
  static const Clock* Real();
};

}  // namespace slice

#endif  // SLICE_COMMON_CLOCK_H_
