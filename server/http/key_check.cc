#include "server/http/key_check.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"
#include "server/rpc/request_bounds.h"

namespace slice {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using Json = nlohmann::json;

// By the name of the contract or by that of JSON; null where there is none.
const FieldDescriptor* FieldOf(const Descriptor* message,
                               const std::string& key) {
  if (message == nullptr) return nullptr;
  const auto* const field = message->FindFieldByName(key);
  return field != nullptr ? field : message->FindFieldByCamelcaseName(key);
}

// Reads on until something is wrong; says what.
class KeyReader final : public nlohmann::json_sax<Json> {
 public:
  explicit KeyReader(const Descriptor* message) : message_(message) {}

  const absl::Status& problem() const { return problem_; }

  bool null() override {
    // Protobuf's parser passes over it, and all later elements move up.
    if (!open_.empty() && open_.back().is_list) {
      return Fail(absl::StrCat("the list ", Quoted(open_.back().name),
                               " holds null; leave it out"));
    }
    return Value();
  }
  bool boolean(bool) override { return Value(); }
  bool number_integer(number_integer_t) override { return Value(); }
  bool number_unsigned(number_unsigned_t) override { return Value(); }
  bool number_float(number_float_t, const string_t&) override {
    return Value();
  }
  bool string(string_t&) override { return Value(); }
  bool binary(binary_t&) override { return Value(); }
  bool start_object(std::size_t) override { return Begin(false); }
  bool key(string_t& name) override {
    Open& object = open_.back();
    object.name = name;
    object.field = FieldOf(object.message, name);
    if (!object.keys.insert(name).second) {
      return Fail(absl::StrCat("the key ", Quoted(name), " comes twice"));
    }
    return object.keys.size() <= kMostJsonKeys ||
           Fail(absl::StrCat("an object has more than ", kMostJsonKeys,
                             " keys"));
  }
  bool end_object() override { return End(); }
  bool start_array(std::size_t) override {
    return open_.empty() ? Value() : Begin(true);
  }
  bool end_array() override {
    const Open& list = open_.back();
    if (list.bound != nullptr)
      problem_ = CheckCount(*list.bound, list.elements);
    return problem_.ok() && End();
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    // What the library says begins with a number of its own, in brackets.
    const std::string what = error.what();
    return Fail(absl::StrCat("no JSON, at byte ", position, ": ",
                             what.substr(what.find("] ") + 2)));
  }

 private:
  // An object or a list that is not read to its end.
  struct Open {
    bool is_list = false;
    std::string name;  // the key that was read last, or that of the list
    // Of an object: its message, its keys and the field of the last one. Null
    // where the contract has none.
    const Descriptor* message = nullptr;
    const FieldDescriptor* field = nullptr;
    std::set<std::string> keys = {};
    // Of a list.
    const RequestList* bound = nullptr;  // null: the contract has no such list
    size_t elements = 0;
  };

  bool Fail(const std::string& problem) {
    problem_ = absl::InvalidArgumentError(problem);
    return false;
  }
  bool Value() {
    if (open_.empty()) return Fail("the request must be a JSON object");
    return !open_.back().is_list || CountElement(open_.back());
  }
  bool CountElement(Open& list) {
    ++list.elements;
    if (list.bound == nullptr) {
      return list.elements <= kMostJsonElements ||
             Fail(absl::StrCat("the list ", Quoted(list.name),
                               " holds more than ", kMostJsonElements,
                               " elements"));
    }
    if (list.elements <= kCountedTimes * list.bound->most) return true;
    problem_ = CheckCount(*list.bound, list.elements);
    return false;
  }
  bool Begin(bool is_list) {
    Open next = {.is_list = is_list, .name = ""};
    if (open_.empty()) {
      next.message = message_;
    } else {
      Open& outer = open_.back();
      if (outer.is_list && !CountElement(outer)) return false;
      // A list has the name of the key before it, and its elements are of the
      // message of that field.
      if (is_list) next.name = outer.name;
      next.field = outer.field;
      if (next.field != nullptr) {
        next.message = next.field->message_type();
        if (is_list) next.bound = FindRequestList(*next.field);
      }
    }
    open_.push_back(std::move(next));
    return open_.size() <= kMostJsonDepth ||
           Fail(absl::StrCat("nested deeper than ", kMostJsonDepth, " times"));
  }
  bool End() {
    open_.pop_back();
    return true;
  }

  const Descriptor* const message_;
  std::vector<Open> open_;
  absl::Status problem_;
};

}  // namespace

absl::Status CheckKeys(std::string_view json, const Descriptor& message) {
  KeyReader reader(&message);
  if (Json::sax_parse(json.begin(), json.end(), &reader)) {
    return absl::OkStatus();
  }
  return reader.problem();
}

}  // namespace slice
