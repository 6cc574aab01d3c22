// The bounds that gRPC enforces below the services.
#ifndef SLICE_SERVER_TRANSPORT_TRANSPORT_LIMITS_H_
#define SLICE_SERVER_TRANSPORT_TRANSPORT_LIMITS_H_

#include <grpcpp/server_builder.h>

#include "server/server_options.h"

namespace slice {

// Bounds the bytes of calls that gRPC holds, the threads that it starts for
// reflection, and the streams of a connection. Makes gRPC refuse compressed
// requests: gRPC 1.51 inflates them before it checks their size.
void LimitTransport(const ServerOptions& options, grpc::ServerBuilder& builder);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_TRANSPORT_LIMITS_H_
