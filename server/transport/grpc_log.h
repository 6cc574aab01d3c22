// The log lines of gRPC and of protocol buffers, sent through common/logging.h.
#ifndef SLICE_SERVER_TRANSPORT_GRPC_LOG_H_
#define SLICE_SERVER_TRANSPORT_GRPC_LOG_H_

namespace slice {

// Routes the log lines of the libraries: errors become warnings, the rest debug
// lines. A client can cause any number of them, so that only a few a second are
// written. Call once, before the first use of gRPC.
void RouteLibraryLogs();

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_GRPC_LOG_H_
