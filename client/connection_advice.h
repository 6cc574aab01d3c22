// Advice to a person whose connection failed. gRPC's own message only repeats
// the error of the operating system.
#ifndef SLICE_CLIENT_CONNECTION_ADVICE_H_
#define SLICE_CLIENT_CONNECTION_ADVICE_H_

#include <string_view>

namespace slice {

// Returns the advice that belongs to `message`, which is gRPC's message for a
// call that failed with UNAVAILABLE; empty when there is none.
std::string_view ConnectionAdvice(std::string_view message);

}  // namespace slice

#endif  // SLICE_CLIENT_CONNECTION_ADVICE_H_
