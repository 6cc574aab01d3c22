#include "server/self_check.h"

#include <grpcpp/client_context.h>

#include <algorithm>

#include "absl/time/clock.h"
#include "common/logging.h"
#include "grpc/health/v1/health.grpc.pb.h"

namespace slice {
namespace {

constexpr int kStuck = 4;

}  // namespace

bool QueuesMove(const LinkPipeline& pipeline, absl::Duration max_deadline) {
  const absl::Duration oldest = std::max(pipeline.ContextQueue().oldest_age,
                                         pipeline.ModelQueue().oldest_age);
  if (oldest <= kStuck * max_deadline) return true;
  LogError("a link has waited for %s: the queues do not move",
           absl::FormatDuration(oldest));
  return false;
}

bool AnswersItself(grpc::Server& server, absl::Duration limit) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + limit));
  grpc::health::v1::HealthCheckResponse response;
  const grpc::Status status =
      grpc::health::v1::Health::NewStub(server.InProcessChannel({}))
          ->Check(&context, {}, &response);
  if (!status.ok()) {
    LogError("the server did not answer its own health check: %s",
             status.error_message());
  }
  return status.ok();
}

}  // namespace slice
