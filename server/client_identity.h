// Who a request is counted against.
#ifndef SLICE_SERVER_CLIENT_IDENTITY_H_
#define SLICE_SERVER_CLIENT_IDENTITY_H_

#include <grpcpp/server_context.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace slice {

// A hash of the first value of the metadata `key`, or without that of the host
// the peer calls from.
uint64_t ClientOf(const grpc::ServerContextBase& context,
                  const std::string& key);

// "ipv4:10.0.0.1:50432" -> "ipv4:10.0.0.1": the connections of a host are one
// client. Other peers, such as unix sockets, stay as they are.
std::string_view PeerHost(std::string_view peer);

}  // namespace slice

#endif  // SLICE_SERVER_CLIENT_IDENTITY_H_
