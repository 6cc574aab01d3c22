#include "server/rpc/service_core.h"

#include <algorithm>
#include <utility>

#include "common/status_macros.h"
#include "server/transport/client_identity.h"

namespace slice {
namespace {

std::string FullNameOf(RpcMethod method) {
  return std::string(RpcServiceName(method)) + "/" +
         std::string(RpcMethodName(method));
}

}  // namespace

absl::Status ServiceCore::CheckRoomForAnswer(ClientId client) const {
  absl::Status room = answers->CheckRoom(client);
  if (!room.ok()) metrics->ItemsShed(ShedReason::kClientFull, 1);
  return room;
}

ClientId ServiceCore::ClientOf(const grpc::ServerContextBase& context) const {
  ClientId client = slice::ClientOf(context, client_key);
  const absl::StatusOr<Caller> caller =
      security.access->Identify(ShownBy(context, security));
  if (caller.ok() && caller->id != 0) client.host = caller->id;
  return client;
}

RpcRecord ServiceCore::Begin(RpcMethod method,
                             const grpc::ServerContextBase& context) const {
  const bool audited = IsAudited(method);
  if (!audited && !log->Samples()) return RpcRecord(method, metrics, clock);
  auto note = std::make_shared<CallNote>();
  note->audited = audited;
  note->method = FullNameOf(method);
  note->peer = context.peer();
  const auto caller = security.access->Identify(ShownBy(context, security));
  if (caller.ok()) note->identity = caller->name;
  const auto& metadata = context.client_metadata();
  const auto trace = metadata.find("traceparent");
  if (trace != metadata.end()) {
    note->trace = TraceIdOf({trace->second.data(), trace->second.size()});
  }
  return RpcRecord(method, metrics, clock, log, std::move(note));
}

absl::Status ServiceCore::CheckStillAllowed(
    RpcMethod method, const grpc::ServerContextBase& context) const {
  return security.access->Check("/" + FullNameOf(method),
                                ShownBy(context, security));
}

absl::StatusOr<std::shared_ptr<const ServedModel>> ServiceCore::FindModel(
    const grpc::ServerContextBase& context, const std::string& name) const {
  SLICE_ASSIGN_OR_RETURN(auto model, registry->Find(name));
  if (!security.access->policy()->LimitsModels()) return model;
  SLICE_ASSIGN_OR_RETURN(const Caller caller,
                         security.access->Identify(ShownBy(context, security)));
  SLICE_RETURN_IF_ERROR(AccessPolicy::CheckModel(caller, model->name));
  return model;
}

absl::Time ServiceCore::DeadlineOf(const grpc::ServerContextBase& context,
                                   absl::Time now) const {
  return now + std::min(TimeLeft(context), max_deadline);
}

absl::Status ServiceCore::CheckWanted(bool cancelled,
                                      absl::Time deadline) const {
  if (cancelled) return absl::CancelledError("the caller left");
  if (clock->Now() < deadline) return absl::OkStatus();
  return absl::DeadlineExceededError(
      "the deadline passed before a worker was free");
}

}  // namespace slice
