#include "common/clock.h"

#include <chrono>

#include "absl/time/clock.h"

namespace slice {
namespace {

class RealClock final : public Clock {
 public:
  absl::Time Now() const override {
    return start_ + absl::FromChrono(Steady::now() - steady_start_);
  }

 private:
  using Steady = std::chrono::steady_clock;

  const absl::Time start_ = absl::Now();
  const Steady::time_point steady_start_ = Steady::now();
};

}  // namespace

const Clock* Clock::Real() {
  static const RealClock* const clock = new RealClock;
  return clock;
}

}  // namespace slice
