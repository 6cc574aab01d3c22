// slice.v1.AdminService over gRPC's callback API. It has a listener of its own.
#ifndef SLICE_SERVER_RPC_ADMIN_SERVICE_H_
#define SLICE_SERVER_RPC_ADMIN_SERVICE_H_

#include "proto/slice/v1/admin.grpc.pb.h"
#include "server/config_reloader.h"
#include "server/pipeline/link_pipeline.h"
#include "server/rpc/service_core.h"

namespace slice {

// Thread-safe.
class AdminService final : public v1::AdminService::CallbackService {
 public:
  // `reloader` may be null; what is not must outlive the service.
  AdminService(const ServiceCore* core, const LinkPipeline* pipeline,
               ConfigReloader* reloader)
      : core_(core), pipeline_(pipeline), reloader_(reloader) {}

  grpc::ServerUnaryReactor* GetQueueState(
      grpc::CallbackServerContext* context,
      const v1::GetQueueStateRequest* request,
      v1::GetQueueStateResponse* response) override;
  grpc::ServerUnaryReactor* ReloadConfig(
      grpc::CallbackServerContext* context,
      const v1::ReloadConfigRequest* request,
      v1::ReloadConfigResponse* response) override;

 private:
  const ServiceCore* const core_;
  const LinkPipeline* const pipeline_;
  ConfigReloader* const reloader_;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_ADMIN_SERVICE_H_
