#include "server/http/json_messages.h"

#include <google/protobuf/util/json_util.h>

#include <regex>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/http/key_check.h"

namespace slice {
namespace {

// What protobuf says of a text that fits no message, with the path in front.
std::string Reworded(const std::string& problem) {
  static const auto* const unknown =
      new std::regex(R"(\(([^)]*)\) (.*): Cannot find field\.)");
  static const auto* const top = new std::regex(R"((.*): Cannot find field\.)");
  static const auto* const wrong = new std::regex(
      R"(\(([^)]*)\): invalid value (.*) for type (?:.*/)?(.*))");
  static const auto* const twice = new std::regex(
      R"(\(([^)]*)\): invalid value oneof field '.*' is already set\. )"
      R"(Cannot set '(.*)' for type oneof)");
  std::smatch found;
  if (std::regex_match(problem, found, *unknown)) {
    return absl::StrCat(found[1].str(), ".", found[2].str(),
                        ": there is no such field");
  }
  if (std::regex_match(problem, found, *top)) {
    return absl::StrCat(found[1].str(), ": there is no such field");
  }
  if (std::regex_match(problem, found, *twice)) {
    return absl::StrCat(found[1].str(), ".", found[2].str(),
                        ": another field already says which; give one");
  }
  if (std::regex_match(problem, found, *wrong)) {
    return absl::StrCat(found[1].str(), ": ", found[2].str(),
                        " is no value of type ", found[3].str(),
                        found[3].str().ends_with("NodeRef")
                            ? "; write {\"key\": ...} or {\"name\": ...}"
                            : "");
  }
  return problem;
}

}  // namespace

absl::Status ParseJson(std::string_view json,
                       google::protobuf::Message* message) {
  SLICE_RETURN_IF_ERROR(CheckKeys(json));
  const google::protobuf::util::Status parsed =
      google::protobuf::util::JsonStringToMessage({json.data(), json.size()},
                                                  message);
  if (parsed.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(Reworded(std::string(parsed.message())));
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
