// The types of a load: its shape, the end of one call, and the results over all
// calls.
#ifndef SLICE_CLIENT_BENCH_LOAD_TYPES_H_
#define SLICE_CLIENT_BENCH_LOAD_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/bench/bench_options.h"
#include "client/bench/latency_histogram.h"

namespace slice {

// Says when the calls of a load are sent. In a closed loop there are `slots`
// callers, and each sends its next call when its last one has ended. In an open
// loop, calls are due at the times of a Poisson process, whatever the server
// does, and at most `slots` calls are under way.
struct LoadShape {
  double rate = 0;  // calls per second; 0: closed loop
  size_t slots = 1;
  absl::Duration warmup;  // comes first and is not measured
  absl::Duration duration;
  uint64_t seed = 1;
  bool until_unavailable = false;  // the first UNAVAILABLE ends the sending
};

// The times that the server reports for a call. They are those of the slowest
// link of the call.
struct ServerTimes {
  absl::Duration queue, context, model;
  int64_t batch_size = 0;  // of the largest batch with a link of the call
};

// How a call ended.
struct FinishedCall {
  size_t slot = 0;
  LoadClass load_class = LoadClass::kDefault;
  absl::Status status;
  // Only for an answered call: how many of its links were scored, and how many
  // failed with which code.
  int64_t links = 0;
  std::map<absl::StatusCode, int64_t> link_errors;
  absl::Status first_link_error;
  std::optional<ServerTimes> server_times;  // unset: the server reported none
};

// The times that the server reported for many calls.
struct StageTimes {
  LatencyHistogram queue, context, model;
  std::map<int64_t, int64_t> batch_sizes;  // batch size -> number of calls

  void Add(const ServerTimes& times);
  // The mean batch size over the calls; NaN when there are none.
  double MeanBatchSize() const;
};

// The calls of one class.
struct ClassResult {
  int64_t answered = 0;
  int64_t failed = 0;
  int64_t links = 0;  // scored by answers that came in the measured time
  double links_per_second = 0;
  LatencyHistogram latency;
};

// The results of a load. Counts and latencies are those of the calls that were
// due in the measured time. The rates count the answers that came in the
// measured time instead.
struct LoadResult {
  absl::Duration measured;
  int64_t sent = 0;      // answered + failed
  int64_t answered = 0;  // with OK
  int64_t unsent = 0;    // due while all slots were taken
  int64_t links = 0;     // scored
  std::map<absl::StatusCode, int64_t> errors;
  absl::Status first_error;
  std::map<absl::StatusCode, int64_t> link_errors;
  absl::Status first_link_error;
  double rpcs_per_second = 0;
  double links_per_second = 0;
  // The time from when a call was due to its end: of answered calls, of failed
  // calls, and of calls that failed with RESOURCE_EXHAUSTED.
  LatencyHistogram latency;
  LatencyHistogram error_latency;
  LatencyHistogram rejected_latency;
  // The time from when a call was due to when it was sent; only in an open
  // loop.
  LatencyHistogram lateness;
  StageTimes stages;  // of the answered calls
  std::map<LoadClass, ClassResult>
      classes;  // by the class that the calls named
  size_t max_outstanding = 0;
  bool interrupted = false;
};

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_LOAD_TYPES_H_
