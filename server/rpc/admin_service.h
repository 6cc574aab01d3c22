// slice.v1.AdminService over gRPC's callback API. It has a listener of its own.
#ifndef SLICE_SERVER_RPC_ADMIN_SERVICE_H_
#define SLICE_SERVER_RPC_ADMIN_SERVICE_H_

#include "proto/slice/v1/admin.grpc.pb.h"
#include "server/pipeline/link_pipeline.h"
#include "server/rpc/service_core.h"

namespace slice {

// Thread-safe.
class AdminService final : public v1::AdminService::CallbackService {
 public:
  // Both must outlive the service.
  AdminService(const ServiceCore* core, const LinkPipeline* pipeline)
      : core_(core), pipeline_(pipeline) {}

  grpc::ServerUnaryReactor* GetQueueState(
      grpc::CallbackServerContext* context,
      const v1::GetQueueStateRequest* request,
      v1::GetQueueStateResponse* response) override;

 private:
  const ServiceCore* const core_;
  const LinkPipeline* const pipeline_;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_ADMIN_SERVICE_H_
