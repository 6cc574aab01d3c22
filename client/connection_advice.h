// What to do about a connection that does not come to be: gRPC says only what
// the system said.
#ifndef SLICE_CLIENT_CONNECTION_ADVICE_H_
#define SLICE_CLIENT_CONNECTION_ADVICE_H_

#include <string_view>

namespace slice {

// For gRPC's message of an UNAVAILABLE call; empty when there is none to give.
std::string_view ConnectionAdvice(std::string_view message);

}  // namespace slice

#endif  // SLICE_CLIENT_CONNECTION_ADVICE_H_
