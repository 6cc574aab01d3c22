// Log lines on stderr. A thin front over spdlog, so that no other file includes
// spdlog and its macros never meet those of LibTorch.
//
//   LogInfo("loaded %d nodes", count);
#ifndef SLICE_COMMON_LOGGING_H_
#define SLICE_COMMON_LOGGING_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"

namespace slice {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

// "debug", "info", "warning" or "error". INVALID_ARGUMENT for another name.
absl::StatusOr<LogLevel> ParseLogLevel(std::string_view name);

// Drops lines below `level` (default kInfo). Thread-safe.
void SetLogLevel(LogLevel level);

// From now on, logging never waits: lines that come too fast, or that nobody
// reads, are left out and counted (common/line_writer.h). For servers.
// REQUIRES: no other thread logs during the call.
void NeverWaitForLog();

// Writes one line. Control characters and bytes that are not valid UTF-8 are
// replaced. Thread-safe.
void LogLine(LogLevel level, std::string_view message);

template <typename... Args>
void LogInfo(const absl::FormatSpec<Args...>& format, const Args&... args) {
  LogLine(LogLevel::kInfo, absl::StrFormat(format, args...));
}
template <typename... Args>
void LogWarning(const absl::FormatSpec<Args...>& format, const Args&... args) {
  LogLine(LogLevel::kWarning, absl::StrFormat(format, args...));
}
template <typename... Args>
void LogError(const absl::FormatSpec<Args...>& format, const Args&... args) {
  LogLine(LogLevel::kError, absl::StrFormat(format, args...));
}

}  // namespace slice

#endif  // SLICE_COMMON_LOGGING_H_
