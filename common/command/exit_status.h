// The exit statuses that all programs share. A program may have further ones.
#ifndef SLICE_COMMON_COMMAND_EXIT_STATUS_H_
#define SLICE_COMMON_COMMAND_EXIT_STATUS_H_

#include "absl/status/status.h"

namespace slice {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;  // a wrong command line
// Of `fit` and `gate`: a script may wait for more links.
inline constexpr int kExitTooFewLinks = 3;

// Gives `error` an exit status of its own.
absl::Status WithExitStatus(absl::Status error, int exit_status);

// The exit status of a command that ended with `status`: its own; kExitOk;
// kExitUsage for INVALID_ARGUMENT and FAILED_PRECONDITION, with which commands
// refuse input; kExitFailure for every other error.
int ExitStatusOf(const absl::Status& status);

}  // namespace slice

#endif  // SLICE_COMMON_COMMAND_EXIT_STATUS_H_
