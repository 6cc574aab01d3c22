#include "server/link_prediction_service.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "server/client_identity.h"
#include "server/predict_links_call.h"
#include "server/recommend_links_call.h"
#include "server/request_validation.h"
#include "server/response_builder.h"

namespace slice {
namespace {

// What the request is at least, whatever model it names. One that holds too
// many links is for the validation.
RequestedWork LeastWork(const RequestOutline& outline, uint64_t client) {
  RequestedWork work;
  work.request_class = RequestClassOf(outline.request_class, outline.links);
  work.client = client;
  work.items = work.cost = static_cast<size_t>(
      outline.links <= kMaxLinksPerRequest ? outline.links : 1);
  return work;
}

}  // namespace

absl::Time LinkPredictionService::DeadlineOf(
    const grpc::CallbackServerContext& context, absl::Time now) const {
  return std::min(absl::FromChrono(context.deadline()), now + max_deadline_);
}

grpc::ServerUnaryReactor* LinkPredictionService::PredictLinks(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  const RpcRecord record(RpcMethod::kPredictLinks, core_->metrics,
                         core_->clock);
  const JobOrigin origin = {ClientOf(*context, client_key_), record.start(),
                            DeadlineOf(*context, record.start())};
  auto call = MakeCall(context, *request, response, record, origin);
  if (!call.ok()) return core_->Finish(context, record, call.status());
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

grpc::ServerBidiReactor<v1::PredictLinksRequest, v1::PredictLinksResponse>*
LinkPredictionService::StreamPredictLinks(
    grpc::CallbackServerContext* context) {
  const RpcRecord record(RpcMethod::kStreamPredictLinks, core_->metrics,
                         core_->clock);
  const StreamOrigin origin = {ClientOf(*context, client_key_),
                               absl::FromChrono(context->deadline()),
                               max_deadline_};
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

grpc::ServerWriteReactor<v1::RecommendLinksResponse>*
LinkPredictionService::RecommendLinks(
    grpc::CallbackServerContext* context,
    const v1::RecommendLinksRequest* request) {
  const RpcRecord record(RpcMethod::kRecommendLinks, core_->metrics,
                         core_->clock);
  return RecommendLinksCall::Start(*core_, context, request, record,
                                   DeadlineOf(*context, record.start()));
}

grpc::ServerUnaryReactor* LinkPredictionService::GetModelInfo(
    grpc::CallbackServerContext* context,
    const v1::GetModelInfoRequest* request,
    v1::GetModelInfoResponse* response) {
  const RpcRecord record(RpcMethod::kGetModelInfo, core_->metrics,
                         core_->clock);
  auto model = core_->registry->Find(request->model());
  if (model.ok()) BuildGetModelInfoResponse(**model, response);
  return core_->Finish(context, record, model.status());
}

grpc::ServerUnaryReactor* LinkPredictionService::ListRelations(
    grpc::CallbackServerContext* context,
    const v1::ListRelationsRequest* request,
    v1::ListRelationsResponse* response) {
  const RpcRecord record(RpcMethod::kListRelations, core_->metrics,
                         core_->clock);
  auto model = core_->registry->Find(request->model());
  if (model.ok()) BuildListRelationsResponse(**model, response);
  return core_->Finish(context, record, model.status());
}

grpc::ServerUnaryReactor* LinkPredictionService::FindNodes(
    grpc::CallbackServerContext* context, const v1::FindNodesRequest* request,
    v1::FindNodesResponse* response) {
  const RpcRecord record(RpcMethod::kFindNodes, core_->metrics, core_->clock);
  return core_->Lookup(context, record, [this, request, response] {
    SLICE_RETURN_IF_ERROR(ValidateRequest(*request));
    SLICE_ASSIGN_OR_RETURN(const auto model,
                           core_->registry->Find(request->model()));
    return BuildFindNodesResponse(*model, *request, response);
  });
}

}  // namespace slice
