#include "server/rpc/unary_call.h"

#include <utility>

#include "common/status_macros.h"
#include "server/grpc_status.h"

namespace slice {
namespace {

constexpr absl::Duration kRetryDelay = absl::Milliseconds(200);

}  // namespace

UnaryCall::UnaryCall(const ServiceCore& core, RpcMethod method,
                     const UnaryWire& wire, Answer answer)
    : core_(core),
      wire_(wire),
      record_(core.Begin(method, *wire.context)),
      origin_(core.OriginOf(*wire.context)),
      deadline_(core.DeadlineOf(*wire.context, record_.start())),
      answer_(std::move(answer)),
      unread_(core.answers, wire.context, origin_.client, deadline_) {}

UnaryCall* UnaryCall::Run(const ServiceCore& core, RpcMethod method,
                          const UnaryWire& wire, Answer answer) {
  auto* const call = new UnaryCall(core, method, wire, std::move(answer));
  const absl::Status admitted = call->Admit();
  if (admitted.ok()) {
    core.quotas->Charge(call->origin_.account, QuotaKind::kSearches, 1);
    call->Answered();
  } else {
    call->End(admitted);
  }
  return call;
}

UnaryCall* UnaryCall::Post(const ServiceCore& core, RpcMethod method,
                           const UnaryWire& wire, Answer answer) {
  auto* const call = new UnaryCall(core, method, wire, std::move(answer));
  // Once it is posted, the call may end and be deleted at any time. After that
  // only its address is used.
  const absl::Status posted = call->Post();
  if (!posted.ok()) call->End(posted);
  return call;
}

absl::Status UnaryCall::Admit() const {
  SLICE_RETURN_IF_ERROR(core_.CheckRoomForAnswer(origin_.client));
  return core_.CheckQuota(origin_, QuotaKind::kSearches);
}

absl::Status UnaryCall::Post() {
  SLICE_RETURN_IF_ERROR(Admit());
  const ServiceCore& core = core_;
  const Account account = origin_.account;
  if (core.lookups->TryPost({origin_.client, deadline_},
                            [this] { Answered(); })) {
    core.quotas->Charge(account, QuotaKind::kSearches, 1);
    return absl::OkStatus();
  }
  core_.metrics->ItemsShed(ShedReason::kLookupQueueFull, 1);
  return WithRetryDelay(
      absl::ResourceExhaustedError("too many lookups are waiting; ask later"),
      kRetryDelay);
}

void UnaryCall::Answered() {
  absl::Status status = core_.CheckWanted(cancelled_.load(), deadline_);
  if (status.ok()) status = answer_(origin_, *wire_.request, wire_.response);
  End(status);
}

void UnaryCall::End(const absl::Status& status) {
  if (status.ok()) unread_.Hold(wire_.response->Length());
  // Finish may delete this before it returns.
  record_.Handled(static_cast<int>(status.code()));
  Finish(ToGrpcStatus(status));
}

grpc::ServerUnaryReactor* FinishUnary(grpc::CallbackServerContext* context,
                                      const RpcRecord& record,
                                      const absl::Status& status,
                                      const ServedModel* model) {
  record.Handled(static_cast<int>(status.code()), {.model = model});
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpcStatus(status));
  return reactor;
}

}  // namespace slice
