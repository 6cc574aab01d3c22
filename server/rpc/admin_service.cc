#include "server/rpc/admin_service.h"

#include <algorithm>
#include <string>
#include <vector>

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

grpc::ServerUnaryReactor* AdminService::ReloadConfig(
    grpc::CallbackServerContext* context, const v1::ReloadConfigRequest*,
    v1::ReloadConfigResponse* response) {
  const RpcRecord record = core_->Begin(RpcMethod::kReloadConfig, *context);
  if (reloader_ == nullptr) {
    return FinishUnary(context, record,
                       absl::UnimplementedError(
                           "this server was not started from a command line"));
  }
  const absl::StatusOr<ReloadReport> report = reloader_->Reload();
  if (!report.ok()) return FinishUnary(context, record, report.status());
  for (const std::string& name : report->applied) response->add_applied(name);
  for (const std::string& name : report->needs_restart) {
    response->add_needs_restart(name);
  }
  return FinishUnary(context, record, absl::OkStatus());
}

}  // namespace slice
