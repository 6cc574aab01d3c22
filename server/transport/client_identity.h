// Which client makes a call, and how long it waits for the answer.
#ifndef SLICE_SERVER_TRANSPORT_CLIENT_IDENTITY_H_
#define SLICE_SERVER_TRANSPORT_CLIENT_IDENTITY_H_

#include <grpcpp/server_context.h>

#include <string>

#include "absl/time/time.h"
#include "server/scheduling/work_item.h"

namespace slice {

// The client that a call is charged to. Its host is the address of the peer.
// Its name is the first value of the metadata entry that is called `key`, or 0
// when the call has no such entry. Both are hashes.
ClientId ClientOf(const grpc::ServerContextBase& context,
                  const std::string& key);

// The time until the caller's deadline; infinite without a deadline. It is a
// duration because gRPC states the deadline by the machine's clock, which may
// be set at any time.
absl::Duration TimeLeft(const grpc::ServerContextBase& context);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_CLIENT_IDENTITY_H_
