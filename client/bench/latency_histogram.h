// Counts times in buckets of growing width, so that percentiles of any number
// of calls can be found in bounded memory.
//
// The buckets are log-linear, as in HdrHistogram: from each power of two of
// nanoseconds to the next there are 128 buckets of equal width. So the width of
// a bucket is at most 1/128 of the times in it. The memory is 37 KiB for any
// number of calls.
#ifndef SLICE_CLIENT_BENCH_LATENCY_HISTOGRAM_H_
#define SLICE_CLIENT_BENCH_LATENCY_HISTOGRAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/time/time.h"

namespace slice {

// Thread-compatible. Copyable.
class LatencyHistogram {
 public:
  // The largest relative error of Quantile, for times up to kMaxSeconds.
  static constexpr double kRelativeError = 1.0 / 256;
  // Times longer than this count in the last bucket; Max and Mean stay exact.
  static constexpr double kMaxSeconds = 4398;

  LatencyHistogram();

  // Negative times (a clock set back) count as 0.
  void Record(absl::Duration time);

  int64_t count() const { return count_; }

  // The value at rank ceil(q * count) of the sorted values, in seconds, within
  // kRelativeError; q = 0 and q = 1 are exact. NaN when nothing was recorded.
  // REQUIRES: 0 <= q <= 1.
  double Quantile(double q) const;

  // Seconds, exact; NaN when nothing was recorded.
  double Mean() const;
  double Max() const;

 private:
  std::vector<int64_t> buckets_;
  int64_t count_ = 0;
  double sum_ = 0;   // of nanoseconds
  int64_t min_ = 0;  // nanoseconds
  int64_t max_ = 0;
};

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_LATENCY_HISTOGRAM_H_
