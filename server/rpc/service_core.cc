#include "server/rpc/service_core.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "server/limits.h"
#include "server/pipeline/shadow_jobs.h"
#include "server/rpc/request_bounds.h"
#include "server/transport/client_identity.h"
#include "server/transport/peer_address.h"
#include "server/transport/relayed_caller.h"

namespace slice {
namespace {

std::string FullNameOf(RpcMethod method) {
  return std::string(RpcServiceName(method)) + "/" +
         std::string(RpcMethodName(method));
}

const ModelNames& PermittedTo(const CallOrigin& origin) {
  static const auto* const kAll = new ModelNames;
  const auto& identity = origin.account.identity;
  return identity == nullptr ? *kAll : identity->models;
}

}  // namespace

absl::Status ServiceCore::CheckRoomForAnswer(ClientId client) const {
  absl::Status room = answers->CheckRoom(client);
  if (!room.ok()) metrics->ItemsShed(ShedReason::kClientFull, 1);
  return room;
}

CallOrigin ServiceCore::OriginOf(const grpc::ServerContextBase& context) const {
  return OriginOf(ClientOf(context, client_key), ShownBy(context, security));
}

CallOrigin ServiceCore::OriginOf(ClientId client,
                                 const ShownCredentials& shown) const {
  CallOrigin origin = {client, {}};
  const absl::StatusOr<Caller> caller = security.access->Identify(shown);
  if (caller.ok() && caller->id != 0) {
    origin.client.host = caller->id;
    origin.account.identity = caller->identity;
  }
  origin.account.id = origin.client.host;
  return origin;
}

absl::Status ServiceCore::CheckQuota(const CallOrigin& origin,
                                     QuotaKind kind) const {
  absl::Status may_ask = quotas->Check(origin.account, kind);
  if (!may_ask.ok()) metrics->ItemsShed(ShedReason::kQuota, 1);
  return may_ask;
}

absl::Status ServiceCore::CheckBounds(
    const CallOrigin& origin, QuotaKind kind, const grpc::ByteBuffer& request,
    const google::protobuf::Descriptor& message) const {
  absl::Status bounded = slice::CheckBounds(request, message);
  if (!bounded.ok()) {
    quotas->Charge(origin.account, kind,
                   kind == QuotaKind::kLinks ? kMaxLinksPerRequest : 1);
  }
  return bounded;
}

RpcRecord ServiceCore::Begin(RpcMethod method,
                             const grpc::ServerContextBase& context) const {
  const bool audited = IsAudited(method);
  if (!audited && !log->Samples()) return RpcRecord(method, metrics, clock);
  auto note = std::make_shared<CallNote>();
  note->audited = audited;
  note->method = FullNameOf(method);
  note->peer = CallerPeer(context);
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
  const std::string peer = CallerPeer(context);
  ShownCredentials shown = ShownBy(context, security);
  shown.peer = peer;
  return security.access->Check("/" + FullNameOf(method), shown);
}

absl::StatusOr<std::shared_ptr<const ServedModel>> ServiceCore::FindModel(
    const CallOrigin& origin, const std::string& name) const {
  SLICE_ASSIGN_OR_RETURN(auto model, registry->Find(name, PermittedTo(origin)));
  SLICE_RETURN_IF_ERROR(
      AccessPolicy::CheckModel(origin.account.identity.get(), model->name));
  return model;
}

absl::StatusOr<std::shared_ptr<const ServedModel>> ServiceCore::RouteModel(
    const CallOrigin& origin, const v1::PredictLinksRequest& request) const {
  if (!registry->HasCandidates()) return FindModel(origin, request.model());
  SLICE_ASSIGN_OR_RETURN(
      auto model,
      registry->Route(request.model(), TrialKeysOf(origin.account, request),
                      PermittedTo(origin)));
  SLICE_RETURN_IF_ERROR(
      AccessPolicy::CheckModel(origin.account.identity.get(), model->name));
  return model;
}

absl::StatusOr<std::string> ServiceCore::ReportFor(
    const HttpCaller& caller, const std::string& name) const {
  const CallOrigin origin =
      OriginOf(ClientId(HashBytes(PeerHost(caller.peer))), caller.Shown());
  SLICE_RETURN_IF_ERROR(CheckQuota(origin, QuotaKind::kSearches));
  quotas->Charge(origin.account, QuotaKind::kSearches, 1);
  SLICE_ASSIGN_OR_RETURN(const auto model, FindModel(origin, name));
  if (!model->report.empty()) return model->report;
  return absl::NotFoundError(
      absl::StrCat("the bundle of model ", model->name, " has no report"));
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
