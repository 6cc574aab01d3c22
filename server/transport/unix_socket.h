// Checks of the addresses "unix:PATH" of a server.
#ifndef SLICE_SERVER_TRANSPORT_UNIX_SOCKET_H_
#define SLICE_SERVER_TRANSPORT_UNIX_SOCKET_H_

#include <string>

#include "absl/status/status.h"

namespace slice {

// OK when the path is free, when a server that is gone left its socket there,
// and for an address of another kind. UNAVAILABLE when a server answers at the
// socket; INVALID_ARGUMENT when the path is not a socket.
absl::Status CheckUnixSocketIsFree(const std::string& address);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_UNIX_SOCKET_H_
