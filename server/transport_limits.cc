#include "server/transport_limits.h"

#include <grpcpp/resource_quota.h>

namespace slice {
namespace {

// Reflection alone is served by threads, one for each of its streams.
constexpr int kMaxReflectionThreads = 16;

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
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                             kMaxConcurrentStreams);
  // Else gRPC widens the window of a stream while its reader lags behind, and
  // takes in megabytes that nobody has asked to read.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
}

}  // namespace slice
