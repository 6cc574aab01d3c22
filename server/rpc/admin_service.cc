#include "server/rpc/admin_service.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "server/grpc_status.h"
#include "server/rpc/model_messages.h"
#include "server/rpc/unary_call.h"

namespace slice {
namespace {

void FillClass(const QueueState::OfClass& from, v1::ClassQueue* to) {
  to->set_links(from.items);
  to->set_cost(from.cost);
  to->set_clients(from.clients);
}

void FillQueue(const char* stage, const QueueState& from, v1::StageQueue* to) {
  to->set_stage(stage);
  FillClass(from.classes[0], to->mutable_interactive());
  FillClass(from.classes[1], to->mutable_bulk());
  to->set_oldest_age_seconds(absl::ToDoubleSeconds(from.oldest_age));
  const QueueState::Next& next = from.next;
  v1::NextBatch* batch = to->mutable_next_batch();
  batch->set_interactive_links(next.items[0]);
  batch->set_bulk_links(next.items[1]);
  batch->set_dropped_links(next.dropped);
  batch->set_explained(next.explained);
  batch->set_earliest_deadline_seconds(
      absl::ToDoubleSeconds(next.until_deadline));
}

void FillShed(const ShedRecord& from, absl::Time now, v1::ShedRequest* to) {
  to->set_age_seconds(absl::ToDoubleSeconds(now - from.time));
  to->set_reason(std::string(ShedReasonName(from.reason)));
  to->set_request_class(from.work.request_class == RequestClass::kBulk
                            ? v1::REQUEST_CLASS_BULK
                            : v1::REQUEST_CLASS_INTERACTIVE);
  to->set_links(from.work.items);
  to->set_predicted_wait_seconds(absl::ToDoubleSeconds(from.predicted_wait));
}

}  // namespace

grpc::ServerUnaryReactor* AdminService::GetQueueState(
    grpc::CallbackServerContext* context, const v1::GetQueueStateRequest*,
    v1::GetQueueStateResponse* response) {
  const RpcRecord record = core_->Begin(RpcMethod::kGetQueueState, *context);
  FillQueue("context", pipeline_->ContextQueue(), response->add_queues());
  FillQueue("model", pipeline_->ModelQueue(), response->add_queues());
  const Admission& admission = pipeline_->admission();
  response->set_links(admission.items());
  response->set_bytes(admission.bytes());
  response->set_max_links(admission.options().max_items);
  response->set_max_bytes(admission.options().max_bytes);
  response->set_predicted_wait_interactive_seconds(absl::ToDoubleSeconds(
      admission.PredictedWait(RequestClass::kInteractive)));
  response->set_predicted_wait_bulk_seconds(
      absl::ToDoubleSeconds(admission.PredictedWait(RequestClass::kBulk)));
  std::vector<ShedRecord> shed = pipeline_->shed_log().Records();
  std::reverse(shed.begin(), shed.end());
  for (const ShedRecord& one : shed) {
    FillShed(one, core_->clock->Now(), response->add_shed());
  }
  return FinishUnary(context, record, absl::OkStatus());
}

grpc::ServerUnaryReactor* AdminService::Post(
    RpcMethod method, grpc::CallbackServerContext* context,
    std::function<absl::Status()> change) {
  const RpcRecord record = core_->Begin(method, *context);
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  const TaskOrder order = {core_->OriginOf(*context).client};
  const auto run = [record, reactor, change = std::move(change)] {
    const absl::Status status = change();
    record.Handled(static_cast<int>(status.code()));
    reactor->Finish(ToGrpcStatus(status));
  };
  if (!changes_->TryPost(order, run)) {
    const absl::Status status = absl::AbortedError(
        "other changes are under way; try again when they have ended");
    record.Handled(static_cast<int>(status.code()));
    reactor->Finish(ToGrpcStatus(status));
  }
  return reactor;
}

grpc::ServerUnaryReactor* AdminService::PostModel(
    RpcMethod method, grpc::CallbackServerContext* context,
    const std::string& name, std::function<absl::Status()> change,
    v1::ModelState* out) {
  return Post(method, context, [this, name, change = std::move(change), out] {
    absl::Status status = change();
    if (status.ok()) {
      FillModel(name, *core_->registry->models(), *deployment_, out);
    }
    return status;
  });
}

grpc::ServerUnaryReactor* AdminService::ReloadConfig(
    grpc::CallbackServerContext* context, const v1::ReloadConfigRequest*,
    v1::ReloadConfigResponse* response) {
  return Post(
      RpcMethod::kReloadConfig, context, [this, response]() -> absl::Status {
        if (reloader_ == nullptr) {
          return absl::FailedPreconditionError(
              "this server has no configuration to read again");
        }
        SLICE_ASSIGN_OR_RETURN(const ReloadReport report, reloader_->Reload());
        for (const std::string& name : report.applied) {
          response->add_applied(name);
        }
        for (const std::string& name : report.needs_restart) {
          response->add_needs_restart(name);
        }
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* AdminService::ListModels(
    grpc::CallbackServerContext* context, const v1::ListModelsRequest*,
    v1::ListModelsResponse* response) {
  const RpcRecord record = core_->Begin(RpcMethod::kListModels, *context);
  FillModels(*core_->registry->models(), *deployment_, response);
  return FinishUnary(context, record, absl::OkStatus());
}

grpc::ServerUnaryReactor* AdminService::LoadModel(
    grpc::CallbackServerContext* context, const v1::LoadModelRequest* request,
    v1::LoadModelResponse* response) {
  return PostModel(
      RpcMethod::kLoadModel, context, request->name(),
      [this, request]() -> absl::Status {
        SLICE_ASSIGN_OR_RETURN(const ModelSource source, SourceOf(*request));
        return deployment_->Load(source);
      },
      response->mutable_model());
}

grpc::ServerUnaryReactor* AdminService::PromoteModel(
    grpc::CallbackServerContext* context,
    const v1::PromoteModelRequest* request,
    v1::PromoteModelResponse* response) {
  return PostModel(
      RpcMethod::kPromoteModel, context, request->name(),
      [this, request] { return deployment_->Promote(request->name()); },
      response->mutable_model());
}

grpc::ServerUnaryReactor* AdminService::UnloadModel(
    grpc::CallbackServerContext* context, const v1::UnloadModelRequest* request,
    v1::UnloadModelResponse*) {
  return Post(RpcMethod::kUnloadModel, context, [this, request] {
    return request->candidate_only()
               ? deployment_->DropCandidate(request->name())
               : deployment_->Unload(request->name());
  });
}

grpc::ServerUnaryReactor* AdminService::SetDefault(
    grpc::CallbackServerContext* context, const v1::SetDefaultRequest* request,
    v1::SetDefaultResponse* response) {
  return PostModel(
      RpcMethod::kSetDefault, context, request->name(),
      [this, request] { return deployment_->SetDefault(request->name()); },
      response->mutable_model());
}

grpc::ServerUnaryReactor* AdminService::RollBack(
    grpc::CallbackServerContext* context, const v1::RollBackRequest* request,
    v1::RollBackResponse* response) {
  return PostModel(
      RpcMethod::kRollBack, context, request->name(),
      [this, request] { return deployment_->RollBack(request->name()); },
      response->mutable_model());
}

grpc::ServerUnaryReactor* AdminService::CreateCheckpoint(
    grpc::CallbackServerContext* context,
    const v1::CreateCheckpointRequest* request,
    v1::CreateCheckpointResponse* response) {
  return Post(RpcMethod::kCreateCheckpoint, context,
              [this, request, response]() -> absl::Status {
                if (request->directory().empty()) {
                  return InvalidField("directory", "must not be empty");
                }
                SLICE_ASSIGN_OR_RETURN(const auto model,
                                       core_->registry->Find(request->model()));
                SLICE_ASSIGN_OR_RETURN(
                    const CheckpointState made,
                    model->graph->store->Checkpoint(request->directory()));
                response->set_graph_version(made.graph_version);
                response->set_state_digest(made.state_digest);
                return absl::OkStatus();
              });
}

}  // namespace slice
