// slice.v1.LinkPredictionService over the callback API.
#ifndef SLICE_SERVER_LINK_PREDICTION_SERVICE_H_
#define SLICE_SERVER_LINK_PREDICTION_SERVICE_H_

#include <map>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "common/mutex.h"
#include "proto/slice/v1/link_prediction.grpc.pb.h"
#include "server/link_pipeline.h"
#include "server/predict_links_call.h"
#include "server/server_options.h"
#include "server/service_core.h"
#include "server/stream_predict_links_call.h"

namespace slice {

// PredictLinks in bytes, the other methods in messages.
using LinkPredictionCallbacks =
    v1::LinkPredictionService::WithRawCallbackMethod_PredictLinks<
        v1::LinkPredictionService::CallbackService>;

// Thread-safe. No method blocks: links go to the pipeline, searches to the
// lookup queue, recommendations to a queue of their own.
class LinkPredictionService final : public LinkPredictionCallbacks {
 public:
  // All must outlive the service.
  LinkPredictionService(const ServiceCore* core, LinkPipeline* pipeline,
                        const ServerOptions& options)
      : core_(core),
        pipeline_(pipeline),
        max_deadline_(options.max_deadline),
        client_key_(options.client_key) {}

  grpc::ServerUnaryReactor* PredictLinks(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;
  grpc::ServerBidiReactor<v1::PredictLinksRequest, v1::PredictLinksResponse>*
  StreamPredictLinks(grpc::CallbackServerContext* context) override;
  grpc::ServerWriteReactor<v1::RecommendLinksResponse>* RecommendLinks(
      grpc::CallbackServerContext* context,
      const v1::RecommendLinksRequest* request) override;
  grpc::ServerUnaryReactor* GetModelInfo(
      grpc::CallbackServerContext* context,
      const v1::GetModelInfoRequest* request,
      v1::GetModelInfoResponse* response) override;
  grpc::ServerUnaryReactor* ListRelations(
      grpc::CallbackServerContext* context,
      const v1::ListRelationsRequest* request,
      v1::ListRelationsResponse* response) override;
  grpc::ServerUnaryReactor* FindNodes(grpc::CallbackServerContext* context,
                                      const v1::FindNodesRequest* request,
                                      v1::FindNodesResponse* response) override;

  // Ends the streams once what they sent is answered, and refuses new ones.
  void DrainStreams();

 private:
  absl::Time DeadlineOf(const grpc::CallbackServerContext& context,
                        absl::Time now) const;
  // The call of a request that may have room; errors of CheckRoom, Parse and
  // ValidateRequest, and NOT_FOUND for an unknown model.
  absl::StatusOr<PredictLinksCall*> MakeCall(
      grpc::CallbackServerContext* context, const grpc::ByteBuffer& request,
      grpc::ByteBuffer* response, const RpcRecord& record,
      const JobOrigin& origin);

  const ServiceCore* const core_;
  LinkPipeline* const pipeline_;
  const absl::Duration max_deadline_;
  const std::string client_key_;

  Mutex mutex_;
  // Those that gRPC is not done with.
  std::map<StreamPredictLinksCall*, std::shared_ptr<StreamPredictLinksCall>>
      streams_ ABSL_GUARDED_BY(mutex_);
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace slice

#endif  // SLICE_SERVER_LINK_PREDICTION_SERVICE_H_
