#include "server/rpc/graph_update_service.h"

#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "server/grpc_status.h"
#include "server/rpc/unary_call.h"
#include "server/rpc/update_request.h"

namespace slice {
namespace {

// Deletes itself when gRPC is done with it. The update is applied even if the
// caller leaves.
class ApplyUpdatesCall final : public grpc::ServerUnaryReactor {
 public:
  ApplyUpdatesCall(const RpcRecord& record, grpc::ByteBuffer* response)
      : record_(record), response_(response) {}

  void Applied(const absl::StatusOr<UpdateOutcome>& outcome) {
    End(outcome.ok() ? WriteUpdateReply(*outcome, response_)
                     : outcome.status());
  }
  void End(const absl::Status& status) {
    record_.Handled(static_cast<int>(status.code()));
    Finish(ToGrpcStatus(status));  // may delete this
  }
  void OnDone() override { delete this; }

  std::shared_ptr<const ServedModel> model;  // whose graph changes

 private:
  ~ApplyUpdatesCall() override = default;

  const RpcRecord record_;
  grpc::ByteBuffer* const response_;
};

absl::Status FillState(const ServiceCore& core, const ServedModel& model,
                       const std::string& writer,
                       v1::GetGraphStateResponse* reply) {
  const LiveGraph& live = *model.graph->live;
  // First, so that the version below holds what the writer sent up to there.
  if (!writer.empty()) reply->set_last_sequence(live.LastSequence(writer));
  const auto [graph, state] = live.CurrentWithState();
  reply->set_graph_version(state.graph_version);
  reply->set_base_version(state.base_version);
  reply->set_state_digest(state.state_digest);
  reply->set_node_count(graph->present_node_count());
  reply->set_link_count(graph->link_count());
  absl::Status writable = CheckAcceptsUpdates(core);
  writable.Update(model.graph->CheckWritable());
  reply->set_writable(writable.ok());
  reply->set_not_writable_reason(std::string(writable.message()));
  return absl::OkStatus();
}

}  // namespace

grpc::ServerUnaryReactor* GraphUpdateService::ApplyUpdates(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  auto* const call = new ApplyUpdatesCall(
      core_->Begin(RpcMethod::kApplyUpdates, *context), response);
  // Once the update is queued, the call may end and be deleted at any time.
  const absl::Status submitted =
      SubmitUpdate(*core_, core_->OriginOf(*context), *request, &call->model,
                   [call](const absl::StatusOr<UpdateOutcome>& outcome) {
                     call->Applied(outcome);
                   });
  if (!submitted.ok()) call->End(submitted);
  return call;
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>*
GraphUpdateService::StreamUpdates(grpc::CallbackServerContext* context) {
  auto call = std::make_shared<StreamUpdatesCall>(
      core_, context, [this](StreamUpdatesCall* done) {
        // Declared before the lock, so that the call is destroyed after the
        // lock is released.
        std::shared_ptr<StreamUpdatesCall> last;
        MutexLock lock(&mutex_);
        last = std::move(streams_.extract(done).mapped());
      });
  StreamUpdatesCall* const started = call.get();
  bool draining = false;
  {
    MutexLock lock(&mutex_);
    streams_[started] = std::move(call);
    draining = draining_;
  }
  if (draining) {
    started->Drain();
  } else {
    started->Start();
  }
  return started;
}

void GraphUpdateService::DrainStreams() {
  std::vector<std::shared_ptr<StreamUpdatesCall>> streams;
  {
    MutexLock lock(&mutex_);
    draining_ = true;
    for (const auto& [address, stream] : streams_) streams.push_back(stream);
  }
  for (const auto& stream : streams) stream->Drain();
}

grpc::ServerUnaryReactor* GraphUpdateService::GetGraphState(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  const auto answer = [this](const CallOrigin& origin,
                             const v1::GetGraphStateRequest& asked,
                             v1::GetGraphStateResponse* reply) {
    SLICE_ASSIGN_OR_RETURN(const auto model,
                           FindLiveModel(*core_, origin, asked.model()));
    return FillState(*core_, *model, asked.writer(), reply);
  };
  return UnaryCall::Post(
      *core_, RpcMethod::kGetGraphState, {context, request, response},
      InMessages<v1::GetGraphStateRequest, v1::GetGraphStateResponse>(answer));
}

}  // namespace slice
