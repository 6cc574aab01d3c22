// slice.v1.LinkPredictionService over the callback API.
#ifndef SLICE_SERVER_LINK_PREDICTION_SERVICE_H_
#define SLICE_SERVER_LINK_PREDICTION_SERVICE_H_

#include "absl/time/time.h"
#include "proto/slice/v1/link_prediction.grpc.pb.h"
#include "server/link_pipeline.h"
#include "server/service_core.h"

namespace slice {

// Thread-safe. No method blocks: links go to the pipeline, searches to the
// lookup queue, recommendations to a queue of their own.
class LinkPredictionService final
    : public v1::LinkPredictionService::CallbackService {
 public:
  // All must outlive the service.
  LinkPredictionService(const ServiceCore* core, LinkPipeline* pipeline,
                        absl::Duration max_deadline)
      : core_(core), pipeline_(pipeline), max_deadline_(max_deadline) {}

  grpc::ServerUnaryReactor* PredictLinks(
      grpc::CallbackServerContext* context,
      const v1::PredictLinksRequest* request,
      v1::PredictLinksResponse* response) override;
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

 private:
  absl::Time DeadlineOf(const grpc::CallbackServerContext& context,
                        absl::Time now) const;

  const ServiceCore* const core_;
  LinkPipeline* const pipeline_;
  const absl::Duration max_deadline_;
};

}  // namespace slice

#endif  // SLICE_SERVER_LINK_PREDICTION_SERVICE_H_
