// The descriptors that are compiled into the program have no comments. So the
// build embeds the contract once more, with them (server/CMakeLists.txt).
#include "server/http/open_api.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <nlohmann/json.hpp>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "server/http/http_rules.h"

extern "C" const char slice_wire_contract_begin[], slice_wire_contract_end[];

namespace slice {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::FieldDescriptor;
using google::protobuf::MethodDescriptor;
using google::protobuf::SourceLocation;
using nlohmann::json;

// Those of the contract, with comments. Lives for ever.
const DescriptorPool& Contract() {
  static const auto* const pool = [] {
    google::protobuf::FileDescriptorSet files;
    files.ParseFromArray(
        slice_wire_contract_begin,
        static_cast<int>(slice_wire_contract_end - slice_wire_contract_begin));
    auto* const built = new DescriptorPool();
    for (const auto& file : files.file()) built->BuildFile(file);
    return built;
  }();
  return *pool;
}

template <typename Of>
std::string CommentOf(const Of& of) {
  SourceLocation location;
  if (!of.GetSourceLocation(&location)) return "";
  const std::string comment = absl::StrCat(
      location.leading_comments,
      location.leading_comments.empty() ? location.trailing_comments : "");
  return std::string(
      absl::StripAsciiWhitespace(absl::StrReplaceAll(comment, {{"\n", " "}})));
}

json Described(json schema, const std::string& comment) {
  if (!comment.empty()) schema["description"] = comment;
  return schema;
}

class Document {
 public:
  explicit Document(const std::vector<std::string>& services) {
    for (const std::string& service : services) {
      for (const HttpRule& rule : HttpRulesOf(service)) AddPath(rule);
    }
  }

  json Take() {
    return {{"openapi", "3.0.3"},
            {"info",
             {{"title", "slice"},
              {"version", SLICE_VERSION},
              {"description",
               "Link prediction in heterogeneous graphs, with reasons."}}},
            {"paths", std::move(paths_)},
            {"components",
             {{"schemas", std::move(schemas_)},
              {"securitySchemes",
               {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}}},
            {"security", {json::object(), {{"token", json::array()}}}}};
  }

 private:
  void AddPath(const HttpRule& rule) {
    const MethodDescriptor& method =
        *Contract().FindMethodByName(rule.method->full_name());
    json operation = Described(
        {{"operationId", method.name()},
         {"tags", {method.service()->name()}},
         {"responses",
          {{"200", Answer(*method.output_type(), method.server_streaming())},
           {"default", Error()}}}},
        CommentOf(method));
    if (rule.verb == "GET") {
      operation["parameters"] = json::array();
      AddParameters(*method.input_type(), "", operation["parameters"]);
      paths_[rule.path]["get"] = std::move(operation);
      return;
    }
    operation["requestBody"] = {
        {"required", true}, {"content", Content(Ref(*method.input_type()))}};
    paths_[rule.path]["post"] = std::move(operation);
  }

  static json Content(json schema) {
    return {{"application/json", {{"schema", std::move(schema)}}}};
  }

  json Answer(const Descriptor& message, bool streams) {
    json schema = Ref(message);
    if (streams) schema = {{"type", "array"}, {"items", std::move(schema)}};
    return {{"description", "OK"}, {"content", Content(std::move(schema))}};
  }

  json Error() {
    return {
        {"description", "An error: a google.rpc.Status"},
        {"content",
         Content(Ref(*Contract().FindMessageTypeByName("google.rpc.Status")))}};
  }

  // The fields of a request, those of messages in it as "node.key".
  void AddParameters(const Descriptor& message, const std::string& before,
                     json& parameters) {
    for (int i = 0; i < message.field_count(); ++i) {
      const FieldDescriptor& field = *message.field(i);
      const std::string name = before + field.name();
      if (field.message_type() != nullptr) {
        AddParameters(*field.message_type(), name + ".", parameters);
        continue;
      }
      parameters.push_back(Described(
          {{"name", name}, {"in", "query"}, {"schema", SchemaOf(field)}},
          CommentOf(field)));
    }
  }

  // A reference to the schema of a message, which is added.
  json Ref(const Descriptor& message) {
    const std::string& name = message.full_name();
    if (!schemas_.contains(name)) {
      schemas_[name] = json::object();  // a message may hold itself
      schemas_[name] = Object(message);
    }
    return {{"$ref", absl::StrCat("#/components/schemas/", name)}};
  }

  json Object(const Descriptor& message) {
    if (message.full_name() == "google.protobuf.Any") {
      return {{"type", "object"},
              {"properties", {{"@type", {{"type", "string"}}}}},
              {"additionalProperties", true}};
    }
    json properties = json::object();
    for (int i = 0; i < message.field_count(); ++i) {
      const FieldDescriptor& field = *message.field(i);
      json schema = field.is_map() ? MapOf(field)
                    : field.is_repeated()
                        ? json{{"type", "array"}, {"items", SchemaOf(field)}}
                        : SchemaOf(field);
      const std::string comment = CommentOf(field);
      // Beside a reference nothing else counts.
      if (!comment.empty() && schema.contains("$ref")) {
        schema = {{"allOf", {std::move(schema)}}};
      }
      properties[field.name()] = Described(std::move(schema), comment);
    }
    return Described({{"type", "object"}, {"properties", properties}},
                     CommentOf(message));
  }

  json MapOf(const FieldDescriptor& field) {
    const FieldDescriptor& value = *field.message_type()->map_value();
    return {{"type", "object"}, {"additionalProperties", SchemaOf(value)}};
  }

  json SchemaOf(const FieldDescriptor& field) {
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return Ref(*field.message_type());
      case FieldDescriptor::CPPTYPE_ENUM: {
        json names = json::array();
        for (int i = 0; i < field.enum_type()->value_count(); ++i) {
          names.push_back(field.enum_type()->value(i)->name());
        }
        return {{"type", "string"}, {"enum", std::move(names)}};
      }
      case FieldDescriptor::CPPTYPE_BOOL:
        return {{"type", "boolean"}};
      case FieldDescriptor::CPPTYPE_INT32:
      case FieldDescriptor::CPPTYPE_UINT32:
        return {{"type", "integer"}, {"format", "int32"}};
      // JSON has no integers of 64 bits.
      case FieldDescriptor::CPPTYPE_INT64:
      case FieldDescriptor::CPPTYPE_UINT64:
        return {{"type", "string"}, {"format", "int64"}};
      case FieldDescriptor::CPPTYPE_FLOAT:
        return {{"type", "number"}, {"format", "float"}};
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return {{"type", "number"}, {"format", "double"}};
      case FieldDescriptor::CPPTYPE_STRING:
        break;
    }
    json text = {{"type", "string"}};
    if (field.type() == FieldDescriptor::TYPE_BYTES) text["format"] = "byte";
    return text;
  }

  json paths_ = json::object(), schemas_ = json::object();
};

}  // namespace

std::string OpenApiDocument(const std::vector<std::string>& services) {
  return Document(services).Take().dump(1);
}

}  // namespace slice
