#include "server/graph_service.h"

#include "common/status_macros.h"
#include "server/request_validation.h"
#include "server/response_builder.h"

namespace slice {

grpc::ServerUnaryReactor* GraphService::GetNeighbors(
    grpc::CallbackServerContext* context,
    const v1::GetNeighborsRequest* request,
    v1::GetNeighborsResponse* response) {
  const RpcRecord record(RpcMethod::kGetNeighbors, core_->metrics,
                         core_->clock);
  return core_->Lookup(context, record, [this, request, response] {
    SLICE_RETURN_IF_ERROR(ValidateRequest(*request));
    SLICE_ASSIGN_OR_RETURN(const auto model,
                           core_->registry->Find(request->model()));
    return BuildGetNeighborsResponse(*model, *request, response);
  });
}

}  // namespace slice
