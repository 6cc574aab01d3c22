#include "client/retry_policy.h"

#include <algorithm>
#include <random>

#include "absl/time/clock.h"
#include "common/random.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/support/status.h"

namespace slice {

std::optional<absl::Duration> ServerRetryDelay(const grpc::Status& status) {
  google::rpc::Status rich;
  if (status.error_details().empty() ||
      !rich.ParseFromString(status.error_details()))
    return std::nullopt;
  for (const google::protobuf::Any& detail : rich.details()) {
    google::rpc::RetryInfo info;
    if (!detail.Is<google::rpc::RetryInfo>() || !detail.UnpackTo(&info))
      continue;
    return std::max(absl::ZeroDuration(),
                    absl::Seconds(info.retry_delay().seconds()) +
                        absl::Nanoseconds(info.retry_delay().nanos()));
  }
  return std::nullopt;
}

std::optional<absl::Duration> RetryPolicy::DelayAfter(
    const grpc::Status& status, int attempt, double random) const {
  if (status.error_code() != grpc::StatusCode::UNAVAILABLE &&
      status.error_code() != grpc::StatusCode::RESOURCE_EXHAUSTED)
    return std::nullopt;
  if (!repeatable && status.error_code() == grpc::StatusCode::UNAVAILABLE)
    return std::nullopt;
  const std::optional<absl::Duration> named = ServerRetryDelay(status);
  const int limit =
      named ? std::max(max_attempts, max_attempts_with_delay) : max_attempts;
  if (attempt >= limit) return std::nullopt;
  absl::Duration delay = initial_delay;
  for (int i = 1; i < attempt && delay < max_delay; ++i) delay *= 2;
  delay = std::min(delay, max_delay);
  if (named) delay = std::max(delay, *named);
  return delay * (1 + jitter * random);
}

grpc::Status RunWithRetries(const RetryPolicy& policy, absl::Time deadline,
                            const std::function<void(absl::Duration)>& sleep,
                            const std::function<grpc::Status()>& attempt) {
  Random random(std::random_device{}());
  for (int tries = 1;; ++tries) {
    grpc::Status status = attempt();
    if (status.ok()) return status;
    const std::optional<absl::Duration> delay =
        policy.DelayAfter(status, tries, random.Uniform());
    if (!delay || absl::Now() + *delay >= deadline) return status;
    sleep(*delay);
  }
}

}  // namespace slice
