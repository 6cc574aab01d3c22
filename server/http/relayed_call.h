// Calls of the server's own gRPC services for callers that come over HTTP. The
// calls take the way of all others: limits, quotas, queues, metrics and log.
#ifndef SLICE_SERVER_HTTP_RELAYED_CALL_H_
#define SLICE_SERVER_HTTP_RELAYED_CALL_H_

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/status.h>

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "server/transport/http_endpoint.h"

namespace slice {

struct RelayedCall {
  std::string method;  // "/package.Service/Name"
  grpc::ByteBuffer request;
  HttpCaller caller;
  absl::Time deadline = absl::InfiniteFuture();
  // HttpRequest::hold; it gets the bytes of the request and of its answers.
  std::function<bool(size_t bytes)> hold = [](size_t) { return true; };
  // Further metadata, such as traceparent. Names are in lower case.
  std::vector<std::pair<std::string, std::string>> metadata;
};

// Gets the answers, one for a method that does not stream. UNAVAILABLE, with a
// RetryInfo, when RelayedCall::hold refuses them.
using RelayDone = std::function<void(const grpc::Status& status,
                                     std::vector<grpc::ByteBuffer> answers)>;

// Calls a method that gets one request, over an in-process channel. `done` is
// called once, on a thread of gRPC.
HttpCancel Relay(grpc::GenericStub& stub, RelayedCall call, RelayDone done);

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_RELAYED_CALL_H_
