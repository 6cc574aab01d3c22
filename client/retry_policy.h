// When a failed call is tried again, and after which delay.
#ifndef SLICE_CLIENT_RETRY_POLICY_H_
#define SLICE_CLIENT_RETRY_POLICY_H_

#include <functional>
#include <optional>

#include "absl/time/time.h"

namespace grpc {
class Status;
}  // namespace grpc

namespace slice {

// Exponential backoff after UNAVAILABLE and RESOURCE_EXHAUSTED; other errors
// are final. The delay is never shorter than the one that the server names
// (google.rpc.RetryInfo).
struct RetryPolicy {
  // The number of tries, with the first.
  int max_attempts = 4;
  // The same, when the server names a delay: then it is alive.
  int max_attempts_with_delay = 10;
  absl::Duration initial_delay = absl::Milliseconds(100);
  absl::Duration max_delay = absl::Seconds(5);
  // Up to this share of a delay is added at random, so that clients spread out.
  double jitter = 0.2;

  // The delay after attempt number `attempt` (from 1) ended with `status`;
  // nothing when it is final. `random` is in [0, 1).
  std::optional<absl::Duration> DelayAfter(const grpc::Status& status,
                                           int attempt, double random) const;
};

// The delay that the server names in the details of `status`.
std::optional<absl::Duration> ServerRetryDelay(const grpc::Status& status);

// Runs `attempt` until it succeeds, its error is final, or the next try would
// start at `deadline` or later. Returns the last status.
grpc::Status RunWithRetries(const RetryPolicy& policy, absl::Time deadline,
                            const std::function<void(absl::Duration)>& sleep,
                            const std::function<grpc::Status()>& attempt);

}  // namespace slice

#endif  // SLICE_CLIENT_RETRY_POLICY_H_
