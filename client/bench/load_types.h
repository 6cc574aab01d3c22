// The types of a load: its shape, the end of one call, and the sums over all
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

// Closed loop: `slots` callers, each of which sends its next call when its last
// one has ended. Open loop: calls are due at the times of a Poisson process,
// whatever the server does, and at most `slots` are under way.
struct LoadShape {
  double rate = 0;  // calls per second; 0: closed loop
  size_t slots = 1;
  absl::Duration warmup;  // comes first and is not measured
  absl::Duration duration;
  uint64_t seed = 1;
  bool until_unavailable = false;  // the first UNAVAILABLE ends the sending
};

// The server's times of a call: those of its slowest link.
struct ServerTimes {
  absl::Duration queue, context, model;
  int64_t batch_size = 0;
};

// How a call ended.
struct FinishedCall {
  size_t slot = 0;
  LoadClass load_class = LoadClass::kDefault;
  absl::Status status;
  // Of an answered call: how many links were scored, and how many failed, by
  // code.
  int64_t links = 0;
  std::map<absl::StatusCode, int64_t> link_errors;
  absl::Status first_link_error;
  std::optional<ServerTimes> server_times;  // when the server reported them
};

// The server's times of many calls.
struct StageTimes {
  LatencyHistogram queue, context, model;
  std::map<int64_t, int64_t>
      batch_sizes;  // largest batch of a call -> number of calls

  void Add(const ServerTimes& times);
  // The mean over the calls; NaN when there are none.
  double MeanBatchSize() const;
};

// The calls of one class.
struct ClassResult {
  int64_t answered = 0;
  int64_t failed = 0;
  int64_t links = 0;  // scored in the measured time
  double links_per_second = 0;
  LatencyHistogram latency;
};

// Calls count when they were due in the measured time. Rates count the answers
// that came in it.
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
  // From the time a call was due to its end.
  LatencyHistogram latency;
  LatencyHistogram error_latency;
  LatencyHistogram
      rejected_latency;  // of calls that end with RESOURCE_EXHAUSTED
  // From the time a call was due to the time it was sent; open loop only.
  LatencyHistogram lateness;
  StageTimes stages;  // of the answered calls
  std::map<LoadClass, ClassResult>
      classes;  // by the class that the calls named
  size_t max_outstanding = 0;
  bool interrupted = false;
};

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_LOAD_TYPES_H_
