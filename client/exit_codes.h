// What the program's exit status says, and how errors are told.
#ifndef SLICE_CLIENT_EXIT_CODES_H_
#define SLICE_CLIENT_EXIT_CODES_H_

#include <string>

#include "absl/status/status.h"

namespace slice {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // of this machine: files, output
inline constexpr int kExitUsage = 2;
inline constexpr int kExitStatusBase = 64;  // + the gRPC status code

// `health` follows grpc_health_probe instead.
inline constexpr int kHealthBadArguments = 1;
inline constexpr int kHealthConnectionFailure = 2;
inline constexpr int kHealthRpcFailure = 3;
inline constexpr int kHealthNotServing = 4;

// The exit status for a server's answer.
int ExitCodeFor(const absl::Status& status);

// "error: NOT_FOUND: no node \"crul\"" and, on a line of its own, the names the
// server suggested: "did you mean: curl, curlie". `where` goes before the code
// when it is not empty. Ends in a line break; safe to print.
std::string ErrorText(const std::string& where, const absl::Status& status);

}  // namespace slice

#endif  // SLICE_CLIENT_EXIT_CODES_H_
