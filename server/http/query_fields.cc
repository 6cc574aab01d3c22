#include "server/http/query_fields.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"
#include "common/table/text_fields.h"

namespace slice {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Undoes the escapes of a query; nullopt for a "%" without two digits.
std::optional<std::string> Unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const auto digit = [&](size_t at) {
      return at < text.size() &&
             absl::ascii_isxdigit(static_cast<unsigned char>(text[at]));
    };
    if (!digit(i + 1) || !digit(i + 2)) return std::nullopt;
    const std::string digits(text.substr(i + 1, 2));
    plain += static_cast<char>(std::stoi(digits, nullptr, 16));
    i += 2;
  }
  return plain;
}

absl::Status Wrong(const std::string& name, const std::string& what) {
  return absl::InvalidArgumentError(
      absl::StrCat("query field ", Quoted(name), ": ", what));
}

std::string FieldsOf(const google::protobuf::Descriptor& message) {
  std::string names;
  for (int i = 0; i < message.field_count(); ++i) {
    absl::StrAppend(&names, i > 0 ? ", " : "", message.field(i)->name());
  }
  return names;
}

// The values of an enumeration, after " (one of"; empty for other types.
std::string ValuesOf(const FieldDescriptor& field) {
  if (field.enum_type() == nullptr) return "";
  std::string names;
  for (int i = 0; i < field.enum_type()->value_count(); ++i) {
    absl::StrAppend(&names, i > 0 ? ", " : "",
                    field.enum_type()->value(i)->name());
  }
  return absl::StrCat("; give one of ", names);
}

template <typename Number, typename Set>
bool SetNumber(const std::string& text, const Set& set) {
  Number number = {};
  if (!absl::SimpleAtoi(text, &number)) return false;
  set(number);
  return true;
}

// Whether `text` is a value of the field, which then has it.
bool SetValue(const std::string& text, const FieldDescriptor& field,
              Message* message) {
  const auto& of = *message->GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      of.SetString(message, &field, text);
      return true;
    case FieldDescriptor::CPPTYPE_BOOL:
      of.SetBool(message, &field, text == "true");
      return text == "true" || text == "false";
    case FieldDescriptor::CPPTYPE_INT32:
      return SetNumber<int32_t>(
          text, [&](auto number) { of.SetInt32(message, &field, number); });
    case FieldDescriptor::CPPTYPE_UINT64:
      return SetNumber<uint64_t>(
          text, [&](auto number) { of.SetUInt64(message, &field, number); });
    case FieldDescriptor::CPPTYPE_DOUBLE: {
      double number = 0;
      if (!absl::SimpleAtod(text, &number)) return false;
      of.SetDouble(message, &field, number);
      return true;
    }
    case FieldDescriptor::CPPTYPE_ENUM: {
      const auto* const value = field.enum_type()->FindValueByName(text);
      if (value != nullptr) of.SetEnum(message, &field, value);
      return value != nullptr;
    }
    default:
      return false;
  }
}

// By the name of the contract or, as in a body, by that of JSON.
const FieldDescriptor* FieldCalled(
    const std::string& name, const google::protobuf::Descriptor& message) {
  const auto* const field = message.FindFieldByName(name);
  return field != nullptr ? field : message.FindFieldByCamelcaseName(name);
}

// The field that was given in the place of `field`; null where there is none.
const FieldDescriptor* OtherChoice(const FieldDescriptor& field,
                                   const Message& message) {
  const auto* const choice = field.containing_oneof();
  if (choice == nullptr) return nullptr;
  const auto* const given =
      message.GetReflection()->GetOneofFieldDescriptor(message, choice);
  return given == &field ? nullptr : given;
}

absl::Status SetField(const std::string& name, const std::string& text,
                      Message* message) {
  if (FindInvalidUtf8(text)) return Wrong(name, "its value is no UTF-8");
  const std::vector<std::string> parts = absl::StrSplit(name, '.');
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto* const field = FieldCalled(parts[i], *message->GetDescriptor());
    if (field == nullptr || field->is_repeated()) {
      return Wrong(name, absl::StrCat("there is no such field, only ",
                                      FieldsOf(*message->GetDescriptor())));
    }
    const bool is_message =
        field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (is_message != (i + 1 < parts.size())) {
      return Wrong(name, is_message
                             ? absl::StrCat("name one of its fields: ",
                                            FieldsOf(*field->message_type()))
                             : "it has no fields");
    }
    if (const auto* const other = OtherChoice(*field, *message)) {
      return Wrong(
          name, absl::StrCat("only one may be given of ", Quoted(field->name()),
                             " and ", Quoted(other->name())));
    }
    if (is_message) {
      message = message->GetReflection()->MutableMessage(message, field);
      continue;
    }
    if (message->GetReflection()->HasField(*message, field)) {
      return Wrong(name, "it comes twice");
    }
    if (!SetValue(text, *field, message)) {
      return Wrong(name, absl::StrCat(Quoted(text), " is no value of type ",
                                      field->type_name(), ValuesOf(*field)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ParseQuery(std::string_view query, Message* message) {
  for (const auto part :
       absl::StrSplit(absl::string_view(query.data(), query.size()), '&',
                      absl::SkipEmpty())) {
    const std::pair<std::string, std::string> field =
        absl::StrSplit(part, absl::MaxSplits('=', 1));
    const auto name = Unescaped(field.first), text = Unescaped(field.second);
    if (!name || !text) {
      return Wrong(field.first, "a '%' must be followed by two hex digits");
    }
    SLICE_RETURN_IF_ERROR(SetField(*name, *text, message));
  }
  return absl::OkStatus();
}

}  // namespace slice
