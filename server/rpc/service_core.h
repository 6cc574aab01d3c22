// What the services share: the models, the metrics and the queues, and how the
// client and the deadline of a call are found.
#ifndef SLICE_SERVER_RPC_SERVICE_CORE_H_
#define SLICE_SERVER_RPC_SERVICE_CORE_H_

#include <google/protobuf/descriptor.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "server/access/quotas.h"
#include "server/models/model_registry.h"
#include "server/pipeline/job_origin.h"
#include "server/rpc/rpc_record.h"
#include "server/scheduling/task_queue.h"
#include "server/scheduling/work_item.h"
#include "server/server_metrics.h"
#include "server/transport/http_caller.h"
#include "server/transport/listener_credentials.h"
#include "server/transport/unread_answers.h"

namespace slice {

// Owns nothing but its settings. Thread-safe.
struct ServiceCore {
  ModelRegistry* registry = nullptr;
  TaskQueue* lookups = nullptr;  // for look-ups too slow for a gRPC thread
  TaskQueue* recommendations = nullptr;
  UnreadAnswers* answers = nullptr;
  ServerMetrics* metrics = nullptr;
  const Clock* clock = nullptr;
  absl::Duration max_deadline = absl::InfiniteDuration();
  std::string client_key;  // metadata that names the client; empty: none
  ListenerSecurity security = {};
  CallLog* log = nullptr;
  Quotas* quotas = nullptr;
  bool accepts_updates = false;  // of the graph

  // As UnreadAnswers::CheckRoom. Counts a refusal in the metrics.
  absl::Status CheckRoomForAnswer(ClientId client) const;

  // Counts an RPC that begins. If it belongs to the sample or must be audited,
  // its end is logged.
  RpcRecord Begin(RpcMethod method,
                  const grpc::ServerContextBase& context) const;

  CallOrigin OriginOf(const grpc::ServerContextBase& context) const;
  CallOrigin OriginOf(ClientId client, const ShownCredentials& shown) const;
  // As Quotas::Check. Counts a refusal in the metrics.
  absl::Status CheckQuota(const CallOrigin& origin, QuotaKind kind) const;
  // As CheckBounds (server/rpc/request_bounds.h). A request that is refused is
  // charged nevertheless, one for links as the largest that is allowed: so a
  // quota bounds how many are read.
  absl::Status CheckBounds(const CallOrigin& origin, QuotaKind kind,
                           const grpc::ByteBuffer& request,
                           const google::protobuf::Descriptor& message) const;
  // For a call that goes on for long: as AccessControl::Check, which let it in
  // when it began. Tokens expire, and identities change.
  absl::Status CheckStillAllowed(RpcMethod method,
                                 const grpc::ServerContextBase& context) const;
  // The model of this name, as ModelRegistry::Find. PERMISSION_DENIED when the
  // caller may not ask it; no error names a model that the caller may not ask,
  // unless the caller has named it.
  absl::StatusOr<std::shared_ptr<const ServedModel>> FindModel(
      const CallOrigin& origin, const std::string& name) const;
  // The version of that model that answers this request (ModelRegistry::Route).
  absl::StatusOr<std::shared_ptr<const ServedModel>> RouteModel(
      const CallOrigin& origin, const v1::PredictLinksRequest& request) const;
  // The report of the training of a model, in HTML, for a caller of whom no
  // call is made. It is charged as a search. The errors of CheckQuota and
  // FindModel; NOT_FOUND, too, when the model's bundle has no report.
  absl::StatusOr<std::string> ReportFor(const HttpCaller& caller,
                                        const std::string& name) const;
  // The deadline of a call that came at `now`: the caller's, but no later than
  // max_deadline from `now`.
  absl::Time DeadlineOf(const grpc::ServerContextBase& context,
                        absl::Time now) const;
  // For a call that was queued: CANCELLED or DEADLINE_EXCEEDED when nobody
  // waits for its answer any more.
  absl::Status CheckWanted(bool cancelled, absl::Time deadline) const;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_SERVICE_CORE_H_
