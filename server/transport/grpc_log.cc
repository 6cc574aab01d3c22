#include "server/transport/grpc_log.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "common/clock.h"
#include "common/logging.h"
#include "common/rate_limit.h"

namespace slice {
namespace {

void WriteLine(LogLevel level, std::string_view message) {
  static RateLimit* const limit =
      new RateLimit({.per_second = 5, .burst = 50}, Clock::Real());
  if (level == LogLevel::kDebug) return LogLine(level, message);
  const auto left_out = limit->Take();
  if (!left_out.has_value()) return;
  if (*left_out == 0) return LogLine(level, message);
  LogLine(level, absl::StrCat(std::string(message), " (", *left_out,
                              " earlier lines of libraries were left out)"));
}

void WriteGrpcLine(gpr_log_func_args* line) {
  WriteLine(line->severity == GPR_LOG_SEVERITY_ERROR ? LogLevel::kWarning
                                                     : LogLevel::kDebug,
            line->message);
}

void WriteProtobufLine(google::protobuf::LogLevel level, const char* /*file*/,
                       int /*line*/, const std::string& message) {
  WriteLine(level >= google::protobuf::LOGLEVEL_ERROR ? LogLevel::kWarning
                                                      : LogLevel::kDebug,
            message);
}

}  // namespace

void RouteLibraryLogs() {
  gpr_set_log_function(WriteGrpcLine);
  google::protobuf::SetLogHandler(WriteProtobufLine);
}

}  // namespace slice
