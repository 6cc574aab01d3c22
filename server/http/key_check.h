// What protobuf's parser of JSON lets pass.
#ifndef SLICE_SERVER_HTTP_KEY_CHECK_H_
#define SLICE_SERVER_HTTP_KEY_CHECK_H_

#include <google/protobuf/descriptor.h>

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"

namespace slice {

inline constexpr size_t kMostJsonDepth = 64;
// Of one object. Every message of the contract has fewer fields.
inline constexpr size_t kMostJsonKeys = 64;
// Of a list that no request has.
inline constexpr size_t kMostJsonElements = 1000;

// Reads `json`, which is to become a `message`, and keeps nothing of it.
// INVALID_ARGUMENT for a text that is no JSON object, an object that has a key
// twice or more than kMostJsonKeys of them, one that is nested deeper than
// kMostJsonDepth, and a list with more elements than CheckBounds allows
// (server/rpc/request_bounds.h); the message has the place.
absl::Status CheckKeys(std::string_view json,
                       const google::protobuf::Descriptor& message);

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_KEY_CHECK_H_
