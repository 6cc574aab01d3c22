#include "server/service_core.h"

#include <utility>

#include "server/grpc_status.h"

namespace slice {
namespace {

constexpr absl::Duration kLookupRetryDelay = absl::Milliseconds(200);

}  // namespace

grpc::ServerUnaryReactor* ServiceCore::Finish(
    grpc::CallbackServerContext* context, const RpcRecord& record,
    const absl::Status& status) const {
  record.Handled(static_cast<int>(status.code()));
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpcStatus(status));
  return reactor;
}

grpc::ServerUnaryReactor* ServiceCore::Lookup(
    grpc::CallbackServerContext* context, const RpcRecord& record,
    std::function<absl::Status()> answer) const {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  auto run = [context, reactor, record, answer = std::move(answer)] {
    const absl::Status status = context->IsCancelled()
                                    ? absl::CancelledError("the caller left")
                                    : answer();
    record.Handled(static_cast<int>(status.code()));
    reactor->Finish(ToGrpcStatus(status));
  };
  if (lookups->TryPost(std::move(run))) return reactor;
  metrics->ItemsShed(ShedReason::kLookupQueueFull, 1);
  const absl::Status full = WithRetryDelay(
      absl::ResourceExhaustedError("too many lookups are waiting"),
      kLookupRetryDelay);
  record.Handled(static_cast<int>(full.code()));
  reactor->Finish(ToGrpcStatus(full));
  return reactor;
}

}  // namespace slice
