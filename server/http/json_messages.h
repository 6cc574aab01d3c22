// Messages of the wire contract as JSON, by protobuf's own mapping.
#ifndef SLICE_SERVER_HTTP_JSON_MESSAGES_H_
#define SLICE_SERVER_HTTP_JSON_MESSAGES_H_

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace slice {

// Reads a JSON object into an empty message. Returns INVALID_ARGUMENT, with the
// path of the field, for an unknown field and for a value of another type. The
// errors of CheckKeys come first.
absl::Status ParseJson(std::string_view json,
                       google::protobuf::Message* message);

// Names are those of the contract, and every field is there, as Envoy prints
// messages.
std::string ToJson(const google::protobuf::Message& message);

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_JSON_MESSAGES_H_
