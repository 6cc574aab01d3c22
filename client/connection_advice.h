// Advice to a person whose connection failed. gRPC's own message has only the
// error of the operating system.
#ifndef SLICE_CLIENT_CONNECTION_ADVICE_H_
#define SLICE_CLIENT_CONNECTION_ADVICE_H_

#include <string_view>

namespace slice {

// The advice for gRPC's message of an UNAVAILABLE call; empty when there is
// none.
std::string_view ConnectionAdvice(std::string_view message);

}  // namespace slice

#endif  // SLICE_CLIENT_CONNECTION_ADVICE_H_
