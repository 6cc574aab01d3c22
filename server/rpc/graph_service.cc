#include "server/rpc/graph_service.h"

#include "common/status_macros.h"
#include "server/rpc/request_validation.h"
#include "server/rpc/response_builder.h"
#include "server/rpc/unary_call.h"

namespace slice {

grpc::ServerUnaryReactor* GraphService::GetNeighbors(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  const auto answer = [this](const CallOrigin& origin,
                             const v1::GetNeighborsRequest& asked,
                             v1::GetNeighborsResponse* found) {
    SLICE_RETURN_IF_ERROR(ValidateRequest(asked));
    SLICE_ASSIGN_OR_RETURN(const auto model,
                           core_->FindModel(origin, asked.model()));
    return BuildGetNeighborsResponse(*model, asked, found);
  };
  return UnaryCall::Post(
      *core_, RpcMethod::kGetNeighbors, {context, request, response},
      InMessages<v1::GetNeighborsRequest, v1::GetNeighborsResponse>(answer));
}

}  // namespace slice
