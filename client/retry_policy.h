// When a failed call is tried again, and after how long.
#ifndef SLICE_CLIENT_RETRY_POLICY_H_
#define SLICE_CLIENT_RETRY_POLICY_H_

#include <functional>
#include <optional>

#include "absl/time/time.h"

namespace grpc {
class Status;
}  // namespace grpc

namespace slice {

// Exponential backoff for UNAVAILABLE and RESOURCE_EXHAUSTED; nothing else is
// tried again. A delay that the server names (google.rpc.RetryInfo) is never
// undercut.
struct RetryPolicy {
  // Tries in all, the first among them.
  int max_attempts = 4;
  // The same, for a server that names the delay: it is alive and knows why.
  int max_attempts_when_told = 10;
  absl::Duration initial_delay = absl::Milliseconds(100);
  absl::Duration max_delay = absl::Seconds(5);
  // Up to this share is added at random, so that clients spread out.
  double jitter = 0.2;

  // How long to wait after attempt number `attempt` (from 1) ended with
  // `status`; nothing when it must not be tried again.
  std::optional<absl::Duration> DelayAfter(const grpc::Status& status,
                                           int attempt, double random) const;
};

// The delay a server asked for in the details of `status`.
std::optional<absl::Duration> ServerRetryDelay(const grpc::Status& status);

// Runs `attempt` until it succeeds, must not be tried again, or the next try
// would start at `deadline` or later; returns its last status.
grpc::Status RunWithRetries(const RetryPolicy& policy, absl::Time deadline,
                            const std::function<void(absl::Duration)>& sleep,
                            const std::function<grpc::Status()>& attempt);

}  // namespace slice

#endif  // SLICE_CLIENT_RETRY_POLICY_H_
