#include "client/bench/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace slice {
namespace {

// Each value below 2^kExactBits has a bucket of its own. Larger values share a
// bucket when they have equally many bits and their first kExactBits bits are
// equal.
constexpr int kExactBits = 8;
constexpr int kMaxBits = 42;
constexpr int64_t kHalf = int64_t{1} << (kExactBits - 1);
constexpr size_t kBuckets = (kMaxBits - kExactBits + 2) * kHalf;
constexpr double kNanosecond = 1e-9;

size_t BucketOf(int64_t nanoseconds) {
  const auto value = static_cast<uint64_t>(
      std::min(nanoseconds, (int64_t{1} << kMaxBits) - 1));
  const int shift =
      std::max(0, static_cast<int>(std::bit_width(value)) - kExactBits);
  return static_cast<size_t>(shift) * kHalf + (value >> shift);
}

// The middle of a bucket, in nanoseconds.
double MiddleOf(size_t bucket) {
  const size_t shift = bucket < 2 * kHalf ? 0 : bucket / kHalf - 1;
  const auto low = static_cast<int64_t>(bucket - shift * kHalf) << shift;
  const int64_t width = int64_t{1} << shift;
  return static_cast<double>(low) + static_cast<double>(width - 1) / 2;
}

}  // namespace

LatencyHistogram::LatencyHistogram() : buckets_(kBuckets) {}

void LatencyHistogram::Record(absl::Duration time) {
  const int64_t value = std::max(int64_t{0}, absl::ToInt64Nanoseconds(time));
  ++buckets_[BucketOf(value)];
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = std::max(max_, value);
  sum_ += static_cast<double>(value);
  ++count_;
}

double LatencyHistogram::Quantile(double q) const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  const auto rank = std::max<int64_t>(
      1, static_cast<int64_t>(std::ceil(q * static_cast<double>(count_))));
  if (rank >= count_) return static_cast<double>(max_) * kNanosecond;
  if (rank == 1) return static_cast<double>(min_) * kNanosecond;
  size_t bucket = 0;
  for (int64_t below = buckets_[0]; below < rank; below += buckets_[bucket])
    ++bucket;
  return std::clamp(MiddleOf(bucket), static_cast<double>(min_),
                    static_cast<double>(max_)) *
         kNanosecond;
}

double LatencyHistogram::Mean() const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  return sum_ / static_cast<double>(count_) * kNanosecond;
}

double LatencyHistogram::Max() const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(max_) * kNanosecond;
}

}  // namespace slice
