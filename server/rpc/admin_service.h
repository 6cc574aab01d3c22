// slice.v1.AdminService over gRPC's callback API. It has a listener of its own.
#ifndef SLICE_SERVER_RPC_ADMIN_SERVICE_H_
#define SLICE_SERVER_RPC_ADMIN_SERVICE_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "server/config_reloader.h"
#include "server/models/model_deployment.h"
#include "server/pipeline/link_pipeline.h"
#include "server/rpc/service_core.h"
#include "server/scheduling/task_queue.h"
#include "slice/v1/admin.grpc.pb.h"

namespace slice {

// Thread-safe.
class AdminService final : public v1::AdminService::CallbackService {
 public:
  // `reloader` may be null; what is not must outlive the service. Calls that
  // change something run on `changes`.
  AdminService(const ServiceCore* core, const LinkPipeline* pipeline,
               ConfigReloader* reloader, ModelDeployment* deployment,
               TaskQueue* changes)
      : core_(core),
        pipeline_(pipeline),
        reloader_(reloader),
        deployment_(deployment),
        changes_(changes) {}

  grpc::ServerUnaryReactor* GetQueueState(
      grpc::CallbackServerContext* context,
      const v1::GetQueueStateRequest* request,
      v1::GetQueueStateResponse* response) override;
  grpc::ServerUnaryReactor* ReloadConfig(
      grpc::CallbackServerContext* context,
      const v1::ReloadConfigRequest* request,
      v1::ReloadConfigResponse* response) override;

  grpc::ServerUnaryReactor* ListModels(
      grpc::CallbackServerContext* context,
      const v1::ListModelsRequest* request,
      v1::ListModelsResponse* response) override;
  grpc::ServerUnaryReactor* LoadModel(grpc::CallbackServerContext* context,
                                      const v1::LoadModelRequest* request,
                                      v1::LoadModelResponse* response) override;
  grpc::ServerUnaryReactor* PromoteModel(
      grpc::CallbackServerContext* context,
      const v1::PromoteModelRequest* request,
      v1::PromoteModelResponse* response) override;
  grpc::ServerUnaryReactor* UnloadModel(
      grpc::CallbackServerContext* context,
      const v1::UnloadModelRequest* request,
      v1::UnloadModelResponse* response) override;
  grpc::ServerUnaryReactor* SetDefault(
      grpc::CallbackServerContext* context,
      const v1::SetDefaultRequest* request,
      v1::SetDefaultResponse* response) override;
  grpc::ServerUnaryReactor* RollBack(grpc::CallbackServerContext* context,
                                     const v1::RollBackRequest* request,
                                     v1::RollBackResponse* response) override;
  grpc::ServerUnaryReactor* CreateCheckpoint(
      grpc::CallbackServerContext* context,
      const v1::CreateCheckpointRequest* request,
      v1::CreateCheckpointResponse* response) override;

 private:
  // Runs `change` on the queue of changes and ends the call with its status.
  grpc::ServerUnaryReactor* Post(RpcMethod method,
                                 grpc::CallbackServerContext* context,
                                 std::function<absl::Status()> change);
  // The same, for a change of one model, whose state then fills `out`.
  grpc::ServerUnaryReactor* PostModel(RpcMethod method,
                                      grpc::CallbackServerContext* context,
                                      const std::string& name,
                                      std::function<absl::Status()> change,
                                      v1::ModelState* out);

  const ServiceCore* const core_;
  const LinkPipeline* const pipeline_;
  ConfigReloader* const reloader_;
  ModelDeployment* const deployment_;
  TaskQueue* const changes_;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_ADMIN_SERVICE_H_
