// The gRPC services that clients call.
#ifndef SLICE_SERVER_RPC_PUBLIC_SERVICES_H_
#define SLICE_SERVER_RPC_PUBLIC_SERVICES_H_

#include <grpcpp/server_builder.h>

#include "server/rpc/graph_service.h"
#include "server/rpc/graph_update_service.h"
#include "server/rpc/link_prediction_service.h"
#include "server/rpc/service_core.h"

namespace slice {

class PublicServices {
 public:
  // `core` and `pipeline` must outlive this object.
  PublicServices(const ServiceCore* core, LinkPipeline* pipeline)
      : link_prediction_(core, pipeline), graph_(core), update_(core) {}

  // This object must outlive the server that is built.
  void RegisterIn(grpc::ServerBuilder& builder) {
    builder.RegisterService(&link_prediction_);
    builder.RegisterService(&graph_);
    builder.RegisterService(&update_);
  }

  // Ends each stream once its requests are answered.
  void DrainStreams() {
    link_prediction_.DrainStreams();
    update_.DrainStreams();
  }

 private:
  LinkPredictionService link_prediction_;
  GraphService graph_;
  GraphUpdateService update_;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_PUBLIC_SERVICES_H_
