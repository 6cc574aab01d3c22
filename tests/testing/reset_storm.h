// Sends calls and resets them at once. This needs raw HTTP/2, because gRPC's
// own client does not send a call that is cancelled so early.
#ifndef SLICE_TESTS_TESTING_RESET_STORM_H_
#define SLICE_TESTS_TESTING_RESET_STORM_H_

#include <cstdint>
#include <functional>
#include <string>

namespace slice {

// Sends calls of `method` ("/package.Service/Method") with the serialised
// `message` to the gRPC server at `address` (IPv4 HOST:PORT), as fast as one
// core can, until `over` returns true. Each call is sent whole and then reset.
// Connects again when the server ends the connection. Calls `told` once after
// the first call. Returns the number of calls sent.
int64_t SendResets(const std::string& address, const std::string& method,
                   const std::string& message,
                   const std::function<bool()>& over,
                   const std::function<void()>& told);

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_RESET_STORM_H_
