// The exit statuses of slice-client, and how it prints errors.
#ifndef SLICE_CLIENT_EXIT_CODES_H_
#define SLICE_CLIENT_EXIT_CODES_H_

#include <string>

#include "absl/status/status.h"
#include "common/command/exit_status.h"

namespace slice {

// When the server answers with an error, the exit status is kExitStatusBase
// plus the gRPC status code. All other exit statuses are those of
// common/command/exit_status.h. Among them, kExitFailure stands for a failure
// of this machine, such as an unreadable file.
inline constexpr int kExitStatusBase = 64;

// `slice-client health` has the exit statuses of grpc_health_probe instead.
inline constexpr int kHealthBadArguments = 1;
inline constexpr int kHealthConnectionFailure = 2;
inline constexpr int kHealthRpcFailure = 3;
inline constexpr int kHealthNotServing = 4;

// The exit status for the status of a call.
int ExitCodeFor(const absl::Status& status);

// Returns the message for an error: "error: NOT_FOUND: no node \"crul\"" and,
// on a line of its own, the names that the server suggests: "did you mean:
// curl, curlie". A `where` that is not empty, such as "links.tsv:3", stands
// before the code. The text ends in a line break and has no control characters.
std::string ErrorText(const std::string& where, const absl::Status& status);

}  // namespace slice

#endif  // SLICE_CLIENT_EXIT_CODES_H_
