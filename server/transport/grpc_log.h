// Sends the log lines of gRPC and of protocol buffers through common/logging.h.
#ifndef SLICE_SERVER_TRANSPORT_GRPC_LOG_H_
#define SLICE_SERVER_TRANSPORT_GRPC_LOG_H_

namespace slice {

// Errors of the libraries are logged as warnings, their other lines as debug
// lines. Only a few warnings a second are written, because a client can cause
// any number of them. Call once, before the first use of gRPC.
void RouteLibraryLogs();

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_GRPC_LOG_H_
