#include "server/transport/transport_limits.h"

#include <grpcpp/resource_quota.h>

namespace slice {
namespace {

// Reflection alone is served by threads, one for each of its streams.
constexpr int kMaxReflectionThreads = 16;

// A connection on which nothing came for the first time is asked whether
// anybody is there, and closed when nobody answers within the second.
constexpr int kKeepaliveMillis = 30'000;
constexpr int kKeepaliveTimeoutMillis = 15'000;

// gRPC 1.51 stops reading from a connection when 10,000 answers to wrong frames
// wait to be written, and nothing but another write of the connection has them
// written. The question is one: without it such a connection would stay for
// ever, long after its client is gone.
void AskWhoIsThere(grpc::ServerBuilder& builder) {
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMillis);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                             kKeepaliveTimeoutMillis);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
}

}  // namespace

void LimitTransport(const ServerOptions& options,
                    grpc::ServerBuilder& builder) {
  grpc::ResourceQuota quota("slice-server");
  quota.Resize(options.max_transport_bytes);
  quota.SetMaxThreads(kMaxReflectionThreads);
  builder.SetResourceQuota(quota);
  for (const auto algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP}) {
    builder.SetCompressionAlgorithmSupportStatus(algorithm, false);
  }
  AskWhoIsThere(builder);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                             kMaxConcurrentStreams);
  // Else gRPC widens the window of a stream while its reader lags behind, and
  // takes in megabytes that nobody has asked to read.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
}

}  // namespace slice
