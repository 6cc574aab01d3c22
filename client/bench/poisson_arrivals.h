// When the calls of an open loop are due.
#ifndef SLICE_CLIENT_BENCH_POISSON_ARRIVALS_H_
#define SLICE_CLIENT_BENCH_POISSON_ARRIVALS_H_

#include <cstdint>

#include "absl/time/time.h"
#include "common/random.h"

namespace slice {

// A Poisson process: gaps are independent and exponentially distributed, as
// between the calls of many independent callers. Thread-compatible.
class PoissonArrivals {
 public:
  // `rate` arrivals per second on average from `start` on. REQUIRES: rate > 0.
  PoissonArrivals(double rate, uint64_t seed, absl::Time start);

  // The time of the next arrival; never earlier than the one before.
  absl::Time Next();

 private:
  const double mean_gap_seconds_;
  const absl::Time start_;
  double elapsed_seconds_ = 0;
  Random random_;
};

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_POISSON_ARRIVALS_H_
