// Checks that a server can listen on an address "unix:PATH".
#ifndef SLICE_SERVER_TRANSPORT_UNIX_SOCKET_H_
#define SLICE_SERVER_TRANSPORT_UNIX_SOCKET_H_

#include <string>

#include "absl/status/status.h"

namespace slice {

// OK when the path is free or holds the socket of a server that is gone, and
// for an address that is not "unix:PATH". UNAVAILABLE when a server answers at
// the socket; INVALID_ARGUMENT when the path is not a socket.
absl::Status CheckUnixSocketIsFree(const std::string& address);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_UNIX_SOCKET_H_
