// What protobuf's parser of JSON lets pass.
#ifndef SLICE_SERVER_HTTP_KEY_CHECK_H_
#define SLICE_SERVER_HTTP_KEY_CHECK_H_

#include <string_view>

#include "absl/status/status.h"

namespace slice {

inline constexpr size_t kMostJsonDepth = 64;

// INVALID_ARGUMENT for a text that is no JSON object, an object that has a key
// twice, and one that is nested deeper than kMostJsonDepth; the message has the
// place.
absl::Status CheckKeys(std::string_view json);

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_KEY_CHECK_H_
