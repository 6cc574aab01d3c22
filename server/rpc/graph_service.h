// slice.v1.GraphService over gRPC's callback API.
#ifndef SLICE_SERVER_RPC_GRAPH_SERVICE_H_
#define SLICE_SERVER_RPC_GRAPH_SERVICE_H_

#include "server/rpc/service_core.h"
#include "slice/v1/graph.grpc.pb.h"

namespace slice {

// GetNeighbors exchanges bytes with gRPC instead of messages
// (server/rpc/wire_messages.h).
using GraphCallbacks = v1::GraphService::WithRawCallbackMethod_GetNeighbors<
    v1::GraphService::Service>;

// Thread-safe. Reads the snapshot of the model that the request names.
class GraphService final : public GraphCallbacks {
 public:
  // `core` must outlive the service.
  explicit GraphService(const ServiceCore* core) : core_(core) {}

  grpc::ServerUnaryReactor* GetNeighbors(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;

 private:
  const ServiceCore* const core_;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_GRAPH_SERVICE_H_
