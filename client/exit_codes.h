// The exit statuses of slice-client, and how it prints errors.
#ifndef SLICE_CLIENT_EXIT_CODES_H_
#define SLICE_CLIENT_EXIT_CODES_H_

#include <string>

#include "absl/status/status.h"
#include "common/command/exit_status.h"

namespace slice {

// The server's errors: this, plus the gRPC status code. Other statuses are
// those of common/command/exit_status.h; kExitFailure is a failure of this
// machine, such as an unreadable file.
inline constexpr int kExitStatusBase = 64;

// The command health has the exit statuses of grpc_health_probe instead.
inline constexpr int kHealthBadArguments = 1;
inline constexpr int kHealthConnectionFailure = 2;
inline constexpr int kHealthRpcFailure = 3;
inline constexpr int kHealthNotServing = 4;

// The exit status for a server's answer.
int ExitCodeFor(const absl::Status& status);

// "error: NOT_FOUND: no node \"crul\"" and, on a line of its own, the names
// that the server suggests: "did you mean: curl, curlie". `where` goes before
// the code when it is not empty. The text ends in a line break and has no
// control characters.
std::string ErrorText(const std::string& where, const absl::Status& status);

}  // namespace slice

#endif  // SLICE_CLIENT_EXIT_CODES_H_
