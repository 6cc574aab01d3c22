#include "server/http/key_check.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// Reads on until something is wrong; says what.
class KeyReader final : public nlohmann::json_sax<Json> {
 public:
  const std::string& problem() const { return problem_; }

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
    open_.back().name = name;
    if (open_.back().keys.insert(name).second) return true;
    return Fail(absl::StrCat("the key ", Quoted(name), " comes twice"));
  }
  bool end_object() override { return End(); }
  bool start_array(std::size_t) override {
    return open_.empty() ? Value() : Begin(true);
  }
  bool end_array() override { return End(); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    // What the library says begins with a number of its own, in brackets.
    const std::string what = error.what();
    return Fail(absl::StrCat("no JSON, at byte ", position, ": ",
                             what.substr(what.find("] ") + 2)));
  }

 private:
  bool Fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  bool Value() {
    return !open_.empty() || Fail("the request must be a JSON object");
  }
  bool Begin(bool is_list) {
    // A list has the name of the key before it.
    const std::string name = is_list ? open_.back().name : "";
    open_.push_back({is_list, name, {}});
    return open_.size() <= kMostJsonDepth ||
           Fail(absl::StrCat("nested deeper than ", kMostJsonDepth, " times"));
  }
  bool End() {
    open_.pop_back();
    return true;
  }

  // An object or a list that is not read to its end.
  struct Open {
    bool is_list = false;
    std::string name;  // the key that was read last
    std::set<std::string> keys;
  };
  std::vector<Open> open_;
  std::string problem_;
};

}  // namespace

absl::Status CheckKeys(std::string_view json) {
  KeyReader reader;
  if (Json::sax_parse(json.begin(), json.end(), &reader)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(reader.problem());
}

}  // namespace slice
