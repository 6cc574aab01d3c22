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

  bool null() override { return Value(); }
  bool boolean(bool) override { return Value(); }
  bool number_integer(number_integer_t) override { return Value(); }
  bool number_unsigned(number_unsigned_t) override { return Value(); }
  bool number_float(number_float_t, const string_t&) override {
    return Value();
  }
  bool string(string_t&) override { return Value(); }
  bool binary(binary_t&) override { return Value(); }
  bool start_object(std::size_t) override { return Begin(); }
  bool key(string_t& name) override {
    if (objects_.back().insert(name).second) return true;
    return Fail(absl::StrCat("the key ", Quoted(name), " comes twice"));
  }
  bool end_object() override { return End(); }
  bool start_array(std::size_t) override {
    return objects_.empty() ? Value() : Begin();
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
    return !objects_.empty() || Fail("the request must be a JSON object");
  }
  bool Begin() {
    objects_.emplace_back();
    return objects_.size() <= kMostJsonDepth ||
           Fail(absl::StrCat("nested deeper than ", kMostJsonDepth, " times"));
  }
  bool End() {
    objects_.pop_back();
    return true;
  }

  std::vector<std::set<std::string>> objects_;  // the keys of the open ones
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
