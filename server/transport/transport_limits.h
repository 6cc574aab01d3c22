// What a connection may cost: bounds that gRPC enforces below the services.
#ifndef SLICE_SERVER_TRANSPORT_TRANSPORT_LIMITS_H_
#define SLICE_SERVER_TRANSPORT_TRANSPORT_LIMITS_H_

#include <grpcpp/server_builder.h>

#include "server/server_options.h"

namespace slice {

// Of one connection, at once.
inline constexpr int kMaxConcurrentStreams = 128;

// Bounds the bytes of calls that gRPC holds, the threads that it starts for
// reflection, and the streams of a connection. Compressed requests are refused:
// gRPC 1.51 inflates them before it looks at their size.
void LimitTransport(const ServerOptions& options, grpc::ServerBuilder& builder);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_TRANSPORT_LIMITS_H_
