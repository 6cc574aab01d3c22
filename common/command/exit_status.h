// The exit statuses that all programs share. A program may have further ones.
#ifndef SLICE_COMMON_COMMAND_EXIT_STATUS_H_
#define SLICE_COMMON_COMMAND_EXIT_STATUS_H_

namespace slice {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;  // a wrong command line

}  // namespace slice

#endif  // SLICE_COMMON_COMMAND_EXIT_STATUS_H_
