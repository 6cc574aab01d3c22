// Who calls, and until when the answer is wanted.
#ifndef SLICE_SERVER_TRANSPORT_CLIENT_IDENTITY_H_
#define SLICE_SERVER_TRANSPORT_CLIENT_IDENTITY_H_

#include <grpcpp/server_context.h>

#include <string>

#include "absl/time/time.h"
#include "server/scheduling/work_item.h"

namespace slice {

// The host that the peer calls from, and as its name the first value of the
// metadata `key`; 0 when it has none.
ClientId ClientOf(const grpc::ServerContextBase& context,
                  const std::string& key);

// Until the caller's deadline; infinite when it has none. gRPC tells it by the
// machine's clock, which may be set at any time.
absl::Duration TimeLeft(const grpc::ServerContextBase& context);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_CLIENT_IDENTITY_H_
