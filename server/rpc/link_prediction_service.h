// slice.v1.LinkPredictionService over gRPC's callback API.
#ifndef SLICE_SERVER_RPC_LINK_PREDICTION_SERVICE_H_
#define SLICE_SERVER_RPC_LINK_PREDICTION_SERVICE_H_

#include <map>
#include <memory>

#include "common/mutex.h"
#include "server/pipeline/link_pipeline.h"
#include "server/rpc/predict_links_call.h"
#include "server/rpc/service_core.h"
#include "server/rpc/stream_predict_links_call.h"
#include "slice/v1/link_prediction.grpc.pb.h"

namespace slice {

// All methods exchange bytes with gRPC instead of messages
// (server/rpc/wire_messages.h).
template <typename Base>
using WithRawStreams =
    v1::LinkPredictionService::WithRawCallbackMethod_StreamPredictLinks<
        v1::LinkPredictionService::WithRawCallbackMethod_RecommendLinks<Base>>;
template <typename Base>
using WithRawLookups =
    v1::LinkPredictionService::WithRawCallbackMethod_GetModelInfo<
        v1::LinkPredictionService::WithRawCallbackMethod_ListRelations<
            v1::LinkPredictionService::WithRawCallbackMethod_FindNodes<Base>>>;
using LinkPredictionCallbacks =
    v1::LinkPredictionService::WithRawCallbackMethod_PredictLinks<
        WithRawStreams<WithRawLookups<v1::LinkPredictionService::Service>>>;

// Thread-safe. No method blocks: links go to the pipeline, look-ups of nodes to
// the look-up queue, and recommendations to a queue of their own.
class LinkPredictionService final : public LinkPredictionCallbacks {
 public:
  // Both must outlive the service.
  LinkPredictionService(const ServiceCore* core, LinkPipeline* pipeline)
      : core_(core), pipeline_(pipeline) {}

  grpc::ServerUnaryReactor* PredictLinks(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;
  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>*
  StreamPredictLinks(grpc::CallbackServerContext* context) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* RecommendLinks(
      grpc::CallbackServerContext* context,
      const grpc::ByteBuffer* request) override;
  grpc::ServerUnaryReactor* GetModelInfo(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* ListRelations(grpc::CallbackServerContext* context,
                                          const grpc::ByteBuffer* request,
                                          grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* FindNodes(grpc::CallbackServerContext* context,
                                      const grpc::ByteBuffer* request,
                                      grpc::ByteBuffer* response) override;

  // Ends each stream once the requests that came on it are answered. Ends new
  // streams at once.
  void DrainStreams();

 private:
  // Parses and checks a request and makes its call. Returns the errors of
  // LinkPipeline::CheckRoom, ServiceCore::CheckBounds, PredictMessages::Parse,
  // ValidateRequest, ModelRegistry::Find and ServedModel::CheckScorer.
  absl::StatusOr<PredictLinksCall*> MakeCall(
      grpc::CallbackServerContext* context, const grpc::ByteBuffer& request,
      grpc::ByteBuffer* response, const RpcRecord& record,
      const JobOrigin& origin);

  const ServiceCore* const core_;
  LinkPipeline* const pipeline_;

  Mutex mutex_;
  // The streams that gRPC is not done with.
  std::map<StreamPredictLinksCall*, std::shared_ptr<StreamPredictLinksCall>>
      streams_ ABSL_GUARDED_BY(mutex_);
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_LINK_PREDICTION_SERVICE_H_
