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

// Only UNAVAILABLE and RESOURCE_EXHAUSTED are tried again, with exponential
// backoff; all other errors are final. The delay is never shorter than the one
// that the server names (google.rpc.RetryInfo).
struct RetryPolicy {
  // The most attempts of a call, the first included.
  int max_attempts = 4;
  // The most attempts while the server names a delay, which shows that it is
  // alive.
  int max_attempts_with_delay = 10;
  absl::Duration initial_delay = absl::Milliseconds(100);
  absl::Duration max_delay = absl::Seconds(5);
  // Whether a call may be repeated that may have been done: UNAVAILABLE does
  // not tell.
  bool repeatable = true;
  // Up to this share of a delay is added at random, so that the retries of many
  // clients spread out.
  double jitter = 0.2;

  // The delay after attempt number `attempt` (from 1) ended with `status`;
  // nothing when no attempt follows. `random` is in [0, 1).
  std::optional<absl::Duration> DelayAfter(const grpc::Status& status,
                                           int attempt, double random) const;
};

// The delay that the server names in the details of `status`.
std::optional<absl::Duration> ServerRetryDelay(const grpc::Status& status);

// Runs `attempt` until it succeeds, until no attempt may follow, or until the
// next attempt would start at `deadline` or later. Waits with `sleep` between
// attempts. Returns the last status.
grpc::Status RunWithRetries(const RetryPolicy& policy, absl::Time deadline,
                            const std::function<void(absl::Duration)>& sleep,
                            const std::function<grpc::Status()>& attempt);

}  // namespace slice

#endif  // SLICE_CLIENT_RETRY_POLICY_H_
