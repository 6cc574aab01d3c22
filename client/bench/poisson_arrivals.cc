#include "client/bench/poisson_arrivals.h"

#include <cmath>

namespace slice {

PoissonArrivals::PoissonArrivals(double rate, uint64_t seed, absl::Time start)
    : mean_gap_seconds_(1 / rate), start_(start), random_(seed) {}

absl::Time PoissonArrivals::Next() {
  elapsed_seconds_ -= std::log1p(-random_.Uniform()) * mean_gap_seconds_;
  return start_ + absl::Seconds(elapsed_seconds_);
}

}  // namespace slice
