// Each method makes a call object, which answers the RPC and deletes itself
// when gRPC is done with it (streams are owned by the service).
//
// PredictLinks is the hot path. Before a request is parsed, an outline of it
// (ReadOutline) decides whether there is room for it, and a scan (CheckBounds)
// whether it is larger than any may be. Then the request is parsed, validated,
// admitted, and either scheduled or run on this thread
// (LinkPipeline::StartOrRun).
// GetModelInfo and ListRelations are answered on this thread too; FindNodes
// searches, so it goes to the look-up queue.
#include "server/rpc/link_prediction_service.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "server/limits.h"
#include "server/pipeline/awaited_job.h"
#include "server/rpc/predict_links_call.h"
#include "server/rpc/recommend_links_call.h"
#include "server/rpc/request_outline.h"
#include "server/rpc/request_validation.h"
#include "server/rpc/response_builder.h"
#include "server/rpc/unary_call.h"
#include "server/transport/client_identity.h"

namespace slice {
namespace {

// An empty server has room for a request of so few bytes, and need not ask.
constexpr size_t kSmallBytes = 4096;

// The least work that a request with this outline can mean, whatever model and
// explanation level it names. A request of too many links counts as one link
// here, because ValidateRequest refuses it later.
RequestedWork LeastWork(const RequestOutline& outline, ClientId client) {
  RequestedWork work;
  work.request_class = RequestClassOf(outline.request_class, outline.links);
  work.client = client;
  work.items = work.cost = static_cast<size_t>(
      outline.links <= kMaxLinksPerRequest ? outline.links : 1);
  return work;
}

// Answers with what `build` makes of the model that the request names.
template <typename Request, typename Response>
UnaryCall::Answer DescribeModel(const ServiceCore& core,
                                void (*build)(const ServedModel&, Response*)) {
  return InMessages<Request, Response>([&core, build](const CallOrigin& origin,
                                                      const Request& request,
                                                      Response* response) {
    SLICE_ASSIGN_OR_RETURN(const auto model,
                           core.FindModel(origin, request.model()));
    build(*model, response);
    return absl::OkStatus();
  });
}

}  // namespace

grpc::ServerUnaryReactor* LinkPredictionService::PredictLinks(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  const RpcRecord record = core_->Begin(RpcMethod::kPredictLinks, *context);
  const JobOrigin origin = {core_->OriginOf(*context), record.start(),
                            core_->DeadlineOf(*context, record.start())};
  auto call = MakeCall(context, *request, response, record, origin);
  if (!call.ok()) {
    // The request may not have been parsed, so its outline names the model.
    const auto model = core_->registry->Find(ReadOutline(*request).model);
    return FinishUnary(context, record, call.status(),
                       model.ok() ? model->get() : nullptr);
  }
  // Once the pipeline has taken the call, the call may end and be deleted at
  // any time. After that only its address is used.
  PredictLinksCall* const job = *call;
  const absl::Status taken =
      LacksVersion(*job)
          ? StartLater(pipeline_, job,
                       [job](const absl::Status& why) { job->Refuse(why); })
          : pipeline_->StartOrRun(job);
  if (!taken.ok()) job->Refuse(taken);
  return job;
}

absl::StatusOr<PredictLinksCall*> LinkPredictionService::MakeCall(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer& request,
    grpc::ByteBuffer* response, const RpcRecord& record,
    const JobOrigin& origin) {
  if (pipeline_->admission().items() > 0 || request.Length() > kSmallBytes) {
    SLICE_RETURN_IF_ERROR(pipeline_->CheckRoom(
        LeastWork(ReadOutline(request), origin.call.client), origin));
  }
  SLICE_RETURN_IF_ERROR(
      core_->CheckBounds(origin.call, QuotaKind::kLinks, request,
                         *v1::PredictLinksRequest::descriptor()));
  auto messages = std::make_unique<PredictMessages>();
  SLICE_RETURN_IF_ERROR(messages->Parse(request));
  SLICE_RETURN_IF_ERROR(ValidateRequest(messages->request()));
  SLICE_ASSIGN_OR_RETURN(auto model,
                         core_->RouteModel(origin.call, messages->request()));
  SLICE_RETURN_IF_ERROR(model->CheckScorer(messages->request().scorer()));
  return new PredictLinksCall(context, std::move(messages), response,
                              std::move(model), record, origin, pipeline_);
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>*
LinkPredictionService::StreamPredictLinks(
    grpc::CallbackServerContext* context) {
  const RpcRecord record =
      core_->Begin(RpcMethod::kStreamPredictLinks, *context);
  auto call = std::make_shared<StreamPredictLinksCall>(
      context, core_, pipeline_, record, record.start() + TimeLeft(*context),
      [this](StreamPredictLinksCall* done) {
        // Declared before the lock, so that the call is destroyed after the
        // lock is released.
        std::shared_ptr<StreamPredictLinksCall> last;
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
  return RecommendLinksCall::Start(*core_, pipeline_, context, *request);
}

grpc::ServerUnaryReactor* LinkPredictionService::GetModelInfo(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  return UnaryCall::Run(*core_, RpcMethod::kGetModelInfo,
                        {context, request, response},
                        DescribeModel<v1::GetModelInfoRequest>(
                            *core_, BuildGetModelInfoResponse));
}

grpc::ServerUnaryReactor* LinkPredictionService::ListRelations(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  return UnaryCall::Run(*core_, RpcMethod::kListRelations,
                        {context, request, response},
                        DescribeModel<v1::ListRelationsRequest>(
                            *core_, BuildListRelationsResponse));
}

grpc::ServerUnaryReactor* LinkPredictionService::FindNodes(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  const auto answer = [this](const CallOrigin& origin,
                             const v1::FindNodesRequest& asked,
                             v1::FindNodesResponse* found) {
    SLICE_RETURN_IF_ERROR(ValidateRequest(asked));
    SLICE_ASSIGN_OR_RETURN(const auto model,
                           core_->FindModel(origin, asked.model()));
    return BuildFindNodesResponse(*model, asked, found);
  };
  return UnaryCall::Post(
      *core_, RpcMethod::kFindNodes, {context, request, response},
      InMessages<v1::FindNodesRequest, v1::FindNodesResponse>(answer));
}

}  // namespace slice
