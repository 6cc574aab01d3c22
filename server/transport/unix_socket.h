// Addresses "unix:PATH" of a server.
#ifndef SLICE_SERVER_TRANSPORT_UNIX_SOCKET_H_
#define SLICE_SERVER_TRANSPORT_UNIX_SOCKET_H_

#include <string>

#include "absl/status/status.h"

namespace slice {

// OK for an address of another kind, a path that is free and a socket that a
// server left behind: gRPC, which would take over a socket in use as well,
// replaces it. UNAVAILABLE when a server answers there; INVALID_ARGUMENT when
// the path is something else than a socket.
absl::Status CheckUnixSocketIsFree(const std::string& address);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_UNIX_SOCKET_H_
