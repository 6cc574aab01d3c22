// gRPC's own log lines, sent through common/logging.h.
#ifndef SLICE_SERVER_GRPC_LOG_H_
#define SLICE_SERVER_GRPC_LOG_H_

namespace slice {

// Routes gRPC's log lines: errors become warnings, the rest debug lines. Call
// once, before the first use of gRPC.
void RouteGrpcLog();

}  // namespace slice

#endif  // SLICE_SERVER_GRPC_LOG_H_
