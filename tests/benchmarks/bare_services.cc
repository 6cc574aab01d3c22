#include "tests/benchmarks/bare_services.h"

#include <vector>

#include "common/status_macros.h"
#include "server/graph/link_resolver.h"
#include "server/grpc_status.h"
#include "server/rpc/response_builder.h"

namespace slice {
namespace {

grpc::ByteBuffer Serialized(const v1::PredictLinksResponse& response) {
  const grpc::Slice bytes(response.SerializeAsString());
  return grpc::ByteBuffer(&bytes, 1);
}

grpc::ByteBuffer OneEmptyResult() {
  v1::PredictLinksResponse response;
  response.add_results();
  return Serialized(response);
}

grpc::ServerUnaryReactor* Finish(grpc::CallbackServerContext* context,
                                 const absl::Status& status) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpcStatus(status));
  return reactor;
}

absl::Status ScoreInline(const ServedModel& model,
                         const v1::PredictLinksRequest& request,
                         v1::PredictLinksResponse* response) {
  std::vector<EncodedLink> encoded;
  for (const v1::LinkRef& reference : request.links()) {
    const ResolvedLink resolved = ResolveLink(*model.snapshot, reference);
    SLICE_RETURN_IF_ERROR(resolved.status);
    encoded.push_back(model.encoder->Encode(*model.snapshot, resolved.link));
  }
  std::vector<const EncodedLink*> links;
  for (const EncodedLink& link : encoded) links.push_back(&link);
  SLICE_ASSIGN_OR_RETURN(std::vector<Prediction> predictions,
                         model.scorer->Predict(ContextBatch::Assemble(links)));
  for (Prediction& prediction : predictions) {
    prediction.Read(model.manifest.reading);
    v1::LinkResult* result = response->add_results();
    result->set_logit(prediction.logit);
    result->set_probability(prediction.probability);
    result->set_decision(prediction.decision);
  }
  return absl::OkStatus();
}

}  // namespace

EmptyPredictionService::EmptyPredictionService() : answer_(OneEmptyResult()) {}

grpc::ServerUnaryReactor* EmptyPredictionService::PredictLinks(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer*,
    grpc::ByteBuffer* response) {
  *response = answer_;
  return Finish(context, absl::OkStatus());
}

grpc::ServerUnaryReactor* EmptyPredictionService::GetModelInfo(
    grpc::CallbackServerContext* context, const v1::GetModelInfoRequest*,
    v1::GetModelInfoResponse* response) {
  response->set_model("empty");
  return Finish(context, absl::OkStatus());
}

grpc::ServerUnaryReactor* DirectPredictionService::PredictLinks(
    grpc::CallbackServerContext* context,
    const v1::PredictLinksRequest* request,
    v1::PredictLinksResponse* response) {
  return Finish(context, ScoreInline(*model_, *request, response));
}

grpc::ServerUnaryReactor* DirectPredictionService::GetModelInfo(
    grpc::CallbackServerContext* context, const v1::GetModelInfoRequest*,
    v1::GetModelInfoResponse* response) {
  BuildGetModelInfoResponse(*model_, response);
  return Finish(context, absl::OkStatus());
}

grpc::ServerUnaryReactor* DirectPredictionService::FindNodes(
    grpc::CallbackServerContext* context, const v1::FindNodesRequest* request,
    v1::FindNodesResponse* response) {
  return Finish(context, BuildFindNodesResponse(*model_, *request, response));
}

grpc::ServerUnaryReactor* DirectGraphService::GetNeighbors(
    grpc::CallbackServerContext* context,
    const v1::GetNeighborsRequest* request,
    v1::GetNeighborsResponse* response) {
  return Finish(context,
                BuildGetNeighborsResponse(*model_, *request, response));
}

}  // namespace slice
