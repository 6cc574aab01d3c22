// Flags on top of CLI11, which only this folder includes.
//
// Add registers both spellings of a name, and the default that help shows.
// CLI11 converts the values whose types are listed at the end of this file.
// Durations and parsed values are read as text by a function, whose error
// becomes CLI11's ValidationError. A limit is a check of the text, so it
// applies to each value of a list; help notes it.
#include "common/command/flags.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <type_traits>

#include "CLI/CLI.hpp"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace slice {
namespace {

// Both spellings of every name: "--data-dir" becomes "--data-dir,--data_dir".
// `prefix` is "!" for a flag that makes its variable false.
std::string Spellings(const std::string& names, const std::string& prefix) {
  std::vector<std::string> spellings;
  const std::vector<std::string> split = absl::StrSplit(names, ',');
  for (const std::string& name : split) {
    const std::string hyphens = absl::StrReplaceAll(name, {{"_", "-"}});
    spellings.push_back(prefix + hyphens);
    const size_t dashes = std::min(hyphens.find_first_not_of('-'), name.size());
    const std::string underscores =
        hyphens.substr(0, dashes) +
        absl::StrReplaceAll(hyphens.substr(dashes), {{"-", "_"}});
    if (underscores != hyphens) spellings.push_back(prefix + underscores);
  }
  return absl::StrJoin(spellings, ",");
}

std::string NumberText(double number) {
  return number == std::floor(number) && std::abs(number) < 1e15
             ? absl::StrCat(static_cast<int64_t>(number))
             : absl::StrFormat("%.10g", number);
}

template <typename Value>
const char* Placeholder() {
  if constexpr (std::is_same_v<Value, std::filesystem::path> ||
                std::is_same_v<Value, std::vector<std::filesystem::path>>) {
    return "PATH";
  } else if constexpr (std::is_floating_point_v<Value> ||
                       std::is_same_v<Value, std::vector<double>>) {
    return "FLOAT";
  } else if constexpr (std::is_integral_v<Value> ||
                       std::is_same_v<Value, std::optional<int>> ||
                       std::is_same_v<Value, std::optional<uint64_t>> ||
                       std::is_same_v<Value, std::vector<int>>) {
    return "INT";
  } else {
    return "TEXT";
  }
}

// Sets the placeholder and the default that help shows. An empty default is not
// shown; lists and optional values have an empty one.
template <typename Value>
CLI::Option* ShowDefault(CLI::Option* option, const Value& value) {
  option->type_name(Placeholder<Value>());
  if constexpr (std::is_same_v<Value, std::filesystem::path>) {
    return option->default_str(value.string());
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return option->default_str(value);
  } else if constexpr (std::is_arithmetic_v<Value>) {
    return option->capture_default_str();
  } else {
    return option->default_str("");
  }
}

template <typename Value>
struct NumberOf {
  using type = Value;
};
template <typename Number>
struct NumberOf<std::optional<Number>> {
  using type = Number;
};
template <typename Element>
struct NumberOf<std::vector<Element>> {
  using type = Element;
};

// Whether the text is a whole number that does not fit. CLI11 makes another
// number of it, such as 2^64 - 1 of -1.
template <typename Number>
bool WrapsAround(const std::string& text) {
  if constexpr (std::is_integral_v<Number>) {
    std::conditional_t<std::is_signed_v<Number>, int64_t, uint64_t> whole = 0;
    double real = 0;
    return absl::SimpleAtod(text, &real) && !absl::SimpleAtoi(text, &whole);
  }
  return false;
}

// Makes `option` name a value that is no number, where it takes numbers.
template <typename Value>
void CheckIsNumber(CLI::Option* option) {
  using Number = typename NumberOf<Value>::type;
  if constexpr (std::is_arithmetic_v<Number>) {
    option->check([](const std::string& text) {
      Number number{};
      if (CLI::detail::lexical_cast(text, number) && !WrapsAround<Number>(text))
        return std::string();
      double real = 0;
      if (absl::SimpleAtod(text, &real) && real == std::floor(real)) {
        return absl::StrCat("'", text, "' is out of range");
      }
      return absl::StrCat("'", text, "' is not a ",
                          std::is_floating_point_v<Number> ? "" : "whole ",
                          "number");
    });
  }
}

absl::StatusOr<absl::Duration> ReadDuration(const std::string& text) {
  absl::Duration duration;
  if (absl::ParseDuration(text, &duration)) return duration;
  return absl::InvalidArgumentError(
      absl::StrCat("'", text, "' is not a duration such as 5s or 200ms"));
}

}  // namespace

std::string JoinWithOr(const std::vector<std::string>& names) {
  if (names.size() < 2) return absl::StrJoin(names, "");
  return absl::StrCat(absl::StrJoin(names.begin(), names.end() - 1, ", "),
                      " or ", names.back());
}

// Adds to the text of the option, which HelpFormatter (command_line.cc) shows
// in brackets behind the description.
void Flag::Note(const std::string& text) const {
  const std::string& before = option_->get_option_text();
  option_->option_text(before.empty() ? text
                                      : absl::StrCat(before, "; ", text));
}

Flag Flag::Required() const {
  option_->required();
  return *this;
}

Flag Flag::Type(const std::string& placeholder) const {
  option_->type_name(placeholder);
  return *this;
}

Flag Flag::Default(const std::string& text) const {
  option_->default_str(text);
  return *this;
}

Flag Flag::Between(double least, double most) const {
  const std::string range =
      std::isinf(most)
          ? absl::StrCat("at least ", NumberText(least))
          : absl::StrCat("from ", NumberText(least), " to ", NumberText(most));
  Note(range);
  option_->check([least, most, range](const std::string& text) {
    double number = 0;
    // CheckIsNumber refuses a text that is no number.
    if (!absl::SimpleAtod(text, &number) ||
        (number >= least && number <= most)) {
      return std::string();
    }
    return absl::StrCat("'", text, "' must be ", range);
  });
  return *this;
}

Flag Flag::Between(absl::Duration least, absl::Duration most) const {
  const std::string first = absl::FormatDuration(least);
  const std::string range =
      most == absl::InfiniteDuration()
          ? absl::StrCat("at least ", first)
          : absl::StrCat("from ", first, " to ", absl::FormatDuration(most));
  Note(range);
  option_->check([least, most, range](const std::string& text) {
    const absl::StatusOr<absl::Duration> read = ReadDuration(text);
    if (!read.ok()) return std::string(read.status().message());
    if (*read >= least && *read <= most) return std::string();
    return absl::StrCat("'", text, "' must be ", range);
  });
  return *this;
}

Flag Flag::OneOf(std::vector<std::string> values) const {
  const std::string names = JoinWithOr(values);
  Note(names);
  option_->check([values = std::move(values), names](const std::string& text) {
    return std::find(values.begin(), values.end(), text) != values.end()
               ? std::string()
               : absl::StrCat("'", text, "' must be ", names);
  });
  return *this;
}

Flag Flag::Excludes(Flag other) const {
  option_->excludes(other.option_);
  return *this;
}

Flag Flag::Needs(Flag other) const {
  option_->needs(other.option_);
  return *this;
}

Flag Flag::Environment(const std::string& variable) const {
  option_->envname(variable);
  return *this;
}

Flag Flag::SplitAt(char separator) const {
  option_->delimiter(separator);
  return *this;
}

Flag Flag::OneValueEach() const {
  Note("may be repeated");
  option_->take_all()->allow_extra_args(false);
  return *this;
}

Flag Flag::ReadFirst() const {
  option_->trigger_on_parse();
  return *this;
}

template <typename Value>
Flag CommandFlags::Add(const std::string& name, Value& value,
                       const std::string& help) {
  CLI::Option* const option = app_.add_option(Spellings(name, ""), value, help);
  CheckIsNumber<Value>(option);
  return Flag(ShowDefault(option, value));
}

Flag CommandFlags::Add(const std::string& name, absl::Duration& value,
                       const std::string& help) {
  const auto read = [&value](const std::string& text) {
    const absl::StatusOr<absl::Duration> duration = ReadDuration(text);
    if (duration.ok()) value = *duration;
    return duration.status();
  };
  return AddRead(name, read, help)
      .Default(absl::FormatDuration(value))
      .Type("DURATION");
}

template <typename Value>
Flag CommandFlags::AddArgument(const std::string& name, Value& value,
                               const std::string& help) {
  return Flag(ShowDefault(app_.add_option(name, value, help), value));
}

Flag CommandFlags::AddSwitch(const std::string& name, bool& value,
                             const std::string& help) {
  return Flag(app_.add_flag(Spellings(name, ""), value, help));
}

Flag CommandFlags::AddOffSwitch(const std::string& name, bool& value,
                                const std::string& help) {
  return Flag(app_.add_flag(Spellings(name, "!"), value, help));
}

Flag CommandFlags::AddRead(
    const std::string& name,
    std::function<absl::Status(const std::string& text)> read,
    const std::string& help) {
  const std::string first_name = name.substr(0, name.find(','));
  const auto read_or_throw = [first_name,
                              read = std::move(read)](const std::string& text) {
    const absl::Status status = read(text);
    if (!status.ok()) {
      throw CLI::ValidationError(first_name, std::string(status.message()));
    }
  };
  CLI::Option* const option = app_.add_option_function<std::string>(
      Spellings(name, ""), read_or_throw, help);
  return Flag(option->type_name("TEXT"));
}

void CommandFlags::Check(std::function<absl::Status()> check) {
  checks_.push_back(std::move(check));
}

void CommandFlags::BeginSection(const std::string& name) {
  app_.option_defaults()->group(name);
}

void CommandFlags::KeepUnknown(std::vector<std::string>& rest) {
  app_.allow_extras();
  Check([this, &rest] {
    rest = app_.remaining();
    return absl::OkStatus();
  });
}

void CommandFlags::Footer(const std::string& text) { app_.footer(text); }

#define SLICE_FLAG_TYPE(...)                                                   \
  template Flag CommandFlags::Add(const std::string& name, __VA_ARGS__& value, \
                                  const std::string& help)
SLICE_FLAG_TYPE(std::string);
SLICE_FLAG_TYPE(std::filesystem::path);
SLICE_FLAG_TYPE(int);
SLICE_FLAG_TYPE(int64_t);
SLICE_FLAG_TYPE(uint32_t);
SLICE_FLAG_TYPE(uint64_t);
SLICE_FLAG_TYPE(float);
SLICE_FLAG_TYPE(double);
SLICE_FLAG_TYPE(std::optional<std::string>);
SLICE_FLAG_TYPE(std::optional<int>);
SLICE_FLAG_TYPE(std::optional<uint64_t>);
SLICE_FLAG_TYPE(std::vector<std::string>);
SLICE_FLAG_TYPE(std::vector<std::filesystem::path>);
SLICE_FLAG_TYPE(std::vector<int>);
SLICE_FLAG_TYPE(std::vector<double>);
#undef SLICE_FLAG_TYPE

template Flag CommandFlags::AddArgument(const std::string& name,
                                        std::string& value,
                                        const std::string& help);
template Flag CommandFlags::AddArgument(
    const std::string& name, std::vector<std::filesystem::path>& value,
    const std::string& help);

}  // namespace slice
