// slice.v1.GraphUpdateService over gRPC's callback API.
#ifndef SLICE_SERVER_RPC_GRAPH_UPDATE_SERVICE_H_
#define SLICE_SERVER_RPC_GRAPH_UPDATE_SERVICE_H_

#include <map>
#include <memory>

#include "common/mutex.h"
#include "server/rpc/service_core.h"
#include "server/rpc/stream_updates_call.h"
#include "slice/v1/graph_update.grpc.pb.h"

namespace slice {

// All methods exchange bytes with gRPC instead of messages
// (server/rpc/wire_messages.h).
using GraphUpdateCallbacks =
    v1::GraphUpdateService::WithRawCallbackMethod_ApplyUpdates<
        v1::GraphUpdateService::WithRawCallbackMethod_StreamUpdates<
            v1::GraphUpdateService::WithRawCallbackMethod_GetGraphState<
                v1::GraphUpdateService::Service>>>;

// Thread-safe. No method blocks: the graph's own thread applies updates.
class GraphUpdateService final : public GraphUpdateCallbacks {
 public:
  // `core` must outlive the service.
  explicit GraphUpdateService(const ServiceCore* core) : core_(core) {}

  grpc::ServerUnaryReactor* ApplyUpdates(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;
  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* StreamUpdates(
      grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* GetGraphState(grpc::CallbackServerContext* context,
                                          const grpc::ByteBuffer* request,
                                          grpc::ByteBuffer* response) override;

  // Ends each stream once the request that it works on is answered.
  void DrainStreams();

 private:
  const ServiceCore* const core_;

  Mutex mutex_;
  std::map<StreamUpdatesCall*, std::shared_ptr<StreamUpdatesCall>> streams_
      ABSL_GUARDED_BY(mutex_);
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_GRAPH_UPDATE_SERVICE_H_
