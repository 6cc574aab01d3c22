#include "server/grpc_log.h"

#include <grpc/support/log.h>

#include <atomic>

#include "common/logging.h"

namespace slice {
namespace {

std::atomic<int> silences{0};

void WriteLine(gpr_log_func_args* line) {
  if (silences.load(std::memory_order_relaxed) > 0) return;
  const LogLevel level = line->severity == GPR_LOG_SEVERITY_ERROR
                             ? LogLevel::kWarning
                             : LogLevel::kDebug;
  LogLine(level, line->message);
}

}  // namespace

void RouteGrpcLog() { gpr_set_log_function(WriteLine); }

GrpcLogSilence::GrpcLogSilence() { silences.fetch_add(1); }
GrpcLogSilence::~GrpcLogSilence() { silences.fetch_sub(1); }

}  // namespace slice
