// What a server is measured against: services that answer inside their handler,
// without queue, batch, deadline, bound or metric.
#ifndef SLICE_TESTS_BENCHMARKS_BARE_SERVICES_H_
#define SLICE_TESTS_BENCHMARKS_BARE_SERVICES_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <memory>

#include "server/models/served_model.h"
#include "slice/v1/graph.grpc.pb.h"
#include "slice/v1/link_prediction.grpc.pb.h"

namespace slice {

// With the callback interface throughout: synchronous methods, even unused
// ones, would bring a pool of threads.
using EmptyPredictionServiceBase =
    v1::LinkPredictionService::WithCallbackMethod_StreamPredictLinks<
        v1::LinkPredictionService::WithCallbackMethod_RecommendLinks<
            v1::LinkPredictionService::WithCallbackMethod_GetModelInfo<
                v1::LinkPredictionService::WithCallbackMethod_ListRelations<
                    v1::LinkPredictionService::WithCallbackMethod_FindNodes<
                        v1::LinkPredictionService::Service>>>>>;

// An empty unary RPC: PredictLinks reads nothing of its request and answers two
// bytes, a result with nothing in it. Thread-safe.
class EmptyPredictionService final
    : public v1::LinkPredictionService::WithRawCallbackMethod_PredictLinks<
          EmptyPredictionServiceBase> {
 public:
  EmptyPredictionService();

  grpc::ServerUnaryReactor* PredictLinks(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* GetModelInfo(
      grpc::CallbackServerContext* context, const v1::GetModelInfoRequest*,
      v1::GetModelInfoResponse* response) override;

 private:
  const grpc::ByteBuffer answer_;
};

// PredictLinks encodes and scores the links of a call as one batch, on gRPC's
// own thread. The other methods are there for a client to draw links.
// Thread-safe.
class DirectPredictionService final
    : public v1::LinkPredictionService::CallbackService {
 public:
  explicit DirectPredictionService(std::shared_ptr<const ServedModel> model)
      : model_(std::move(model)) {}

  grpc::ServerUnaryReactor* PredictLinks(
      grpc::CallbackServerContext* context,
      const v1::PredictLinksRequest* request,
      v1::PredictLinksResponse* response) override;
  grpc::ServerUnaryReactor* GetModelInfo(
      grpc::CallbackServerContext* context,
      const v1::GetModelInfoRequest* request,
      v1::GetModelInfoResponse* response) override;
  grpc::ServerUnaryReactor* FindNodes(grpc::CallbackServerContext* context,
                                      const v1::FindNodesRequest* request,
                                      v1::FindNodesResponse* response) override;

 private:
  const std::shared_ptr<const ServedModel> model_;
};

class DirectGraphService final : public v1::GraphService::CallbackService {
 public:
  explicit DirectGraphService(std::shared_ptr<const ServedModel> model)
      : model_(std::move(model)) {}

  grpc::ServerUnaryReactor* GetNeighbors(
      grpc::CallbackServerContext* context,
      const v1::GetNeighborsRequest* request,
      v1::GetNeighborsResponse* response) override;

 private:
  const std::shared_ptr<const ServedModel> model_;
};

}  // namespace slice

#endif  // SLICE_TESTS_BENCHMARKS_BARE_SERVICES_H_
