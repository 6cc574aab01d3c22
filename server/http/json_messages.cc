#include "server/http/json_messages.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/util/json_util.h>

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"
#include "server/http/key_check.h"

namespace slice {
namespace {

using google::protobuf::Descriptor;

// An error of protobuf's parser, which says "(PATH) WHAT" or "(PATH): WHAT"; at
// the top of the message there is no path. The texts may be of any length.
struct Problem {
  absl::string_view path, what;

  explicit Problem(absl::string_view text) : what(text) {
    TrimBegin();
    const size_t end = text.find(')');
    if (!absl::StartsWith(text, "(") || end == absl::string_view::npos) return;
    path = text.substr(1, end - 1);
    what = text.substr(end + 1);
    TrimBegin();
  }

  void TrimBegin() {
    absl::ConsumePrefix(&what, ":");
    absl::ConsumePrefix(&what, " ");
  }
};

// The message at a path such as "links[0].source"; null where there is none.
const Descriptor* MessageAt(const Descriptor* message, absl::string_view path) {
  for (const absl::string_view part :
       absl::StrSplit(path, '.', absl::SkipEmpty())) {
    const auto* const field =
        message->FindFieldByName(std::string(part.substr(0, part.find('['))));
    if (field == nullptr || field->message_type() == nullptr) return nullptr;
    message = field->message_type();
  }
  return message;
}

std::string FieldsLike(const Descriptor* message, absl::string_view name) {
  if (message == nullptr) return "";
  std::vector<std::string> names;
  for (int i = 0; i < message->field_count(); ++i) {
    names.push_back(message->field(i)->name());
  }
  return Alternatives(std::string(name), names);
}

// The fields of a oneof, such as "'key', 'name'".
std::string ChoicesOf(const Descriptor* message, const std::string& name) {
  const auto* const choice =
      message == nullptr ? nullptr : message->FindOneofByName(name);
  if (choice == nullptr) return Quoted(name);
  std::vector<std::string> names;
  for (int i = 0; i < choice->field_count(); ++i) {
    names.push_back(Quoted(choice->field(i)->name()));
  }
  return absl::StrJoin(names, ", ");
}

std::string Short(absl::string_view text) {
  return Quoted(std::string_view(text.data(), text.size()));
}

// What to write for a type of protobuf, such as "TYPE_INT32", or nothing.
absl::string_view WordsFor(absl::string_view type) {
  if (type == "TYPE_STRING") return "a text in quotes";
  if (type == "TYPE_BOOL") return "true or false";
  if (type == "TYPE_DOUBLE" || type == "TYPE_FLOAT") return "a number";
  if (absl::StrContains(type, "INT")) return "a whole number in its range";
  return "";
}

// What may be written for a value of `type`, such as
// "type.googleapis.com/slice.v1.NodeRef" or "TYPE_INT32".
std::string WayOut(const Descriptor& message, absl::string_view type) {
  absl::ConsumePrefix(&type, "type.googleapis.com/");
  if (absl::EndsWith(type, "NodeRef")) {
    return "; write {\"key\": ...} or {\"name\": ...}";
  }
  if (const absl::string_view words = WordsFor(type); !words.empty())
    return absl::StrCat("; write ", words);
  const auto* const values =
      message.file()->pool()->FindEnumTypeByName(std::string(type));
  if (values == nullptr) return absl::StrCat(" the type ", type);
  std::vector<std::string> names;
  for (int i = 0; i < values->value_count(); ++i) {
    const std::string& name = values->value(i)->name();
    if (!absl::EndsWith(name, "_UNSPECIFIED")) names.push_back(name);
  }
  return absl::StrCat("; it is one of ", absl::StrJoin(names, ", "));
}

// What protobuf says of a text that does not fit `message`, with the way out.
std::string Reworded(absl::string_view text, const Descriptor& message) {
  const Problem problem(text);
  absl::string_view what = problem.what;
  const std::string where =
      problem.path.empty() ? "" : absl::StrCat(problem.path, ": ");
  if (absl::ConsumeSuffix(&what, ": Cannot find field.")) {
    return absl::StrCat(where, "there is no field ", Short(what),
                        FieldsLike(MessageAt(&message, problem.path), what));
  }
  // "invalid value oneof field 'ref' is already set. Cannot set 'name' for type
  // oneof"
  if (absl::ConsumePrefix(&what, "invalid value oneof field '")) {
    return absl::StrCat(
        where, "only one may be given of ",
        ChoicesOf(MessageAt(&message, problem.path),
                  std::string(what.substr(0, what.find('\'')))));
  }
  if (absl::ConsumePrefix(&what, "invalid value ")) {
    const size_t type = what.rfind(" for type ");
    if (type != absl::string_view::npos) {
      constexpr size_t kBeforeType = sizeof(" for type ") - 1;
      absl::string_view value = what.substr(0, type);
      if (absl::ConsumePrefix(&value, "\"")) absl::ConsumeSuffix(&value, "\"");
      return absl::StrCat(where, Short(value), " does not fit",
                          WayOut(message, what.substr(type + kBeforeType)));
    }
  }
  return absl::StrCat(where, problem.what.substr(0, 200));
}

}  // namespace

absl::Status ParseJson(std::string_view json,
                       google::protobuf::Message* message) {
  SLICE_RETURN_IF_ERROR(CheckKeys(json, *message->GetDescriptor()));
  const google::protobuf::util::Status parsed =
      google::protobuf::util::JsonStringToMessage({json.data(), json.size()},
                                                  message);
  if (parsed.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      Reworded({parsed.message().data(), parsed.message().size()},
               *message->GetDescriptor()));
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
