#include "server/transport/transport_limits.h"

#include <grpcpp/resource_quota.h>

#include "common/header_blocks.h"
#include "server/limits.h"

namespace slice {
namespace {

// Only reflection is served by the synchronous API, with a thread per stream.
constexpr int kMaxReflectionThreads = 16;

// After kKeepaliveMillis of silence a connection gets a ping. It is closed when
// no answer comes within kKeepaliveTimeoutMillis.
constexpr int kKeepaliveMillis = 30'000;
constexpr int kKeepaliveTimeoutMillis = 15'000;

// gRPC 1.51 stops reading from a connection when 10,000 answers to invalid
// frames wait to be written, and only another write on the connection sends
// them. The ping is such a write. Without it the connection would stay for
// ever, even after its client is gone.
void PingSilentConnections(grpc::ServerBuilder& builder) {
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
  PingSilentConnections(builder);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                             kMaxConcurrentStreams);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kMaxHeaderBytes);
  // With this probe gRPC would widen the window of a stream while the server
  // reads it slowly, and would buffer megabytes that nobody has read.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
}

}  // namespace slice
