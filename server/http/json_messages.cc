#include "server/http/json_messages.h"

#include <google/protobuf/util/json_util.h>

#include "common/status_macros.h"
#include "server/http/key_check.h"

namespace slice {

absl::Status ParseJson(std::string_view json,
                       google::protobuf::Message* message) {
  SLICE_RETURN_IF_ERROR(CheckKeys(json));
  const google::protobuf::util::Status parsed =
      google::protobuf::util::JsonStringToMessage({json.data(), json.size()},
                                                  message);
  if (parsed.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(std::string(parsed.message()));
}

std::string ToJson(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string json;
  // Messages of the contract hold nothing that JSON cannot say.
  (void)google::protobuf::util::MessageToJsonString(message, &json, options);
  return json;
}

}  // namespace slice
