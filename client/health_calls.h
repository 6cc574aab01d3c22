// The calls of the health service, without retries.
#ifndef SLICE_CLIENT_HEALTH_CALLS_H_
#define SLICE_CLIENT_HEALTH_CALLS_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/connection.h"
#include "client/link_types.h"

namespace slice {

// The health of `service`, or of the whole server process when it is empty.
absl::StatusOr<ServingState> GetHealth(
    const std::shared_ptr<grpc::Channel>& channel,
    const ConnectionOptions& options, const std::string& service,
    absl::Time deadline);

// Calls `changed` with the health now and at each change, until `changed`
// returns false; then returns OK.
absl::Status FollowHealth(const std::shared_ptr<grpc::Channel>& channel,
                          const ConnectionOptions& options,
                          const std::string& service, absl::Time deadline,
                          const std::function<bool(ServingState)>& changed);

}  // namespace slice

#endif  // SLICE_CLIENT_HEALTH_CALLS_H_
