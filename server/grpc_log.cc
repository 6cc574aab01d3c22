#include "server/grpc_log.h"

#include <grpc/support/log.h>

#include "common/logging.h"

namespace slice {
namespace {

void WriteLine(gpr_log_func_args* line) {
  const LogLevel level = line->severity == GPR_LOG_SEVERITY_ERROR
                             ? LogLevel::kWarning
                             : LogLevel::kDebug;
  LogLine(level, line->message);
}

}  // namespace

void RouteGrpcLog() { gpr_set_log_function(WriteLine); }

}  // namespace slice
