// Calls that are reset at once, in raw HTTP/2: gRPC's own client does not even
// send a call that is cancelled so early.
#ifndef SLICE_TESTS_TESTING_RESET_STORM_H_
#define SLICE_TESTS_TESTING_RESET_STORM_H_

#include <cstdint>
#include <functional>
#include <string>

namespace slice {

// Sends calls to `method` ("/package.Service/Method") of the gRPC server at
// `address` (IPv4 HOST:PORT), each whole, with `message` (serialised), and
// reset right behind it, as fast as one core can, until `over`. Connects again
// when the server ends the connection. `told` hears of the first call. Returns
// how many calls were sent.
int64_t SendResets(const std::string& address, const std::string& method,
                   const std::string& message,
                   const std::function<bool()>& over,
                   const std::function<void()>& told);

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_RESET_STORM_H_
