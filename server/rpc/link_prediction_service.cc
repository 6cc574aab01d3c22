#include "server/rpc/link_prediction_service.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "server/rpc/predict_links_call.h"
#include "server/rpc/recommend_links_call.h"
#include "server/rpc/request_validation.h"
#include "server/rpc/response_builder.h"
#include "server/rpc/unary_call.h"
#include "server/transport/client_identity.h"

namespace slice {
namespace {

// What the request is at least, whatever model it names. One that holds too
// many links is for the validation.
RequestedWork LeastWork(const RequestOutline& outline, ClientId client) {
  RequestedWork work;
  work.request_class = RequestClassOf(outline.request_class, outline.links);
  work.client = client;
  work.items = work.cost = static_cast<size_t>(
      outline.links <= kMaxLinksPerRequest ? outline.links : 1);
  return work;
}

}  // namespace

grpc::ServerUnaryReactor* LinkPredictionService::PredictLinks(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  const RpcRecord record(RpcMethod::kPredictLinks, core_->metrics,
                         core_->clock);
  const JobOrigin origin = {core_->ClientOf(*context), record.start(),
                            core_->DeadlineOf(*context, record.start())};
  auto call = MakeCall(context, *request, response, record, origin);
  if (!call.ok()) return FinishUnary(context, record, call.status());
  // Once taken the call may be answered at any time: it is only returned.
  const absl::Status taken = pipeline_->StartOrRun(*call);
  if (!taken.ok()) (*call)->Refuse(taken);
  return *call;
}

absl::StatusOr<PredictLinksCall*> LinkPredictionService::MakeCall(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer& request,
    grpc::ByteBuffer* response, const RpcRecord& record,
    const JobOrigin& origin) {
  if (pipeline_->admission().items() > 0) {  // else there is room
    SLICE_RETURN_IF_ERROR(pipeline_->CheckRoom(
        LeastWork(ReadOutline(request), origin.client), origin.deadline));
  }
  auto messages = std::make_unique<PredictMessages>();
  SLICE_RETURN_IF_ERROR(messages->Parse(request));
  SLICE_RETURN_IF_ERROR(ValidateRequest(messages->request()));
  SLICE_ASSIGN_OR_RETURN(auto model,
                         core_->registry->Find(messages->request().model()));
  SLICE_RETURN_IF_ERROR(model->CheckScorer(messages->request().scorer()));
  return new PredictLinksCall(context, std::move(messages), response,
                              std::move(model), record, origin, pipeline_);
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>*
LinkPredictionService::StreamPredictLinks(
    grpc::CallbackServerContext* context) {
  const RpcRecord record(RpcMethod::kStreamPredictLinks, core_->metrics,
                         core_->clock);
  const StreamOrigin origin = {core_->ClientOf(*context),
                               record.start() + TimeLeft(*context),
                               core_->max_deadline};
  auto call = std::make_shared<StreamPredictLinksCall>(
      context, core_, pipeline_, record, origin,
      [this](StreamPredictLinksCall* done) {
        std::shared_ptr<StreamPredictLinksCall> last;  // freed unlocked
        MutexLock lock(&mutex_);
        last = std::move(streams_.extract(done).mapped());
      });
  bool draining = false;
  {
    MutexLock lock(&mutex_);
    streams_[call.get()] = call;
    draining = draining_;
  }
  if (draining) call->Drain();
  return call.get();
}

void LinkPredictionService::DrainStreams() {
  std::vector<std::shared_ptr<StreamPredictLinksCall>> streams;
  {
    MutexLock lock(&mutex_);
    draining_ = true;
    for (const auto& [address, stream] : streams_) streams.push_back(stream);
  }
  for (const auto& stream : streams) stream->Drain();
}

grpc::ServerWriteReactor<grpc::ByteBuffer>*
LinkPredictionService::RecommendLinks(grpc::CallbackServerContext* context,
                                      const grpc::ByteBuffer* request) {
  return RecommendLinksCall::Start(*core_, context, *request);
}

grpc::ServerUnaryReactor* LinkPredictionService::GetModelInfo(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  const auto answer = [this](const v1::GetModelInfoRequest& asked,
                             v1::GetModelInfoResponse* info) {
    SLICE_ASSIGN_OR_RETURN(const auto model,
                           core_->registry->Find(asked.model()));
    BuildGetModelInfoResponse(*model, info);
    return absl::OkStatus();
  };
  return UnaryCall::Run(
      *core_, RpcMethod::kGetModelInfo, {context, request, response},
      InMessages<v1::GetModelInfoRequest, v1::GetModelInfoResponse>(answer));
}

grpc::ServerUnaryReactor* LinkPredictionService::ListRelations(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  const auto answer = [this](const v1::ListRelationsRequest& asked,
                             v1::ListRelationsResponse* relations) {
    SLICE_ASSIGN_OR_RETURN(const auto model,
                           core_->registry->Find(asked.model()));
    BuildListRelationsResponse(*model, relations);
    return absl::OkStatus();
  };
  return UnaryCall::Run(
      *core_, RpcMethod::kListRelations, {context, request, response},
      InMessages<v1::ListRelationsRequest, v1::ListRelationsResponse>(answer));
}

grpc::ServerUnaryReactor* LinkPredictionService::FindNodes(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  const auto answer = [this](const v1::FindNodesRequest& asked,
                             v1::FindNodesResponse* found) {
    SLICE_RETURN_IF_ERROR(ValidateRequest(asked));
    SLICE_ASSIGN_OR_RETURN(const auto model,
                           core_->registry->Find(asked.model()));
    return BuildFindNodesResponse(*model, asked, found);
  };
  return UnaryCall::Post(
      *core_, RpcMethod::kFindNodes, {context, request, response},
      InMessages<v1::FindNodesRequest, v1::FindNodesResponse>(answer));
}

}  // namespace slice
