// Parse() starts from the defaults and applies the settings in order. A setting
// is split at its first "="; the parameter of that name decides how the value
// is checked: numbers against their bounds, words against the list of choices,
// texts only for not being empty.
//
// ToString() writes every parameter, also those at their default: comparisons
// compare its result with that of earlier runs, so the format must not change.
#include "trainer/methods/method_parameters.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"

namespace slice {
namespace {

using Kind = MethodParameter::Kind;

std::string NumberText(double value) { return absl::StrCat(value); }

absl::StatusOr<double> ParseNumber(const MethodParameter& parameter,
                                   const std::string& text) {
  double value = 0;
  const bool whole = parameter.kind == Kind::kWhole;
  if (!absl::SimpleAtod(text, &value) || !std::isfinite(value) ||
      (whole && value != std::floor(value)) || value < parameter.least ||
      value > parameter.most) {
    return absl::InvalidArgumentError(absl::StrCat(
        "parameter ", parameter.name, " is '", text, "'; it must be a ",
        whole ? "whole number" : "number", " from ",
        NumberText(parameter.least), " to ", NumberText(parameter.most)));
  }
  return value;
}

absl::Status CheckWord(const MethodParameter& parameter,
                       const std::string& text) {
  const auto& words = parameter.words;
  if (std::find(words.begin(), words.end(), text) != words.end()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("parameter ", parameter.name, " is '", text,
                   "'; it must be one of ", absl::StrJoin(words, ", ")));
}

}  // namespace

MethodParameter MethodParameter::Number(std::string name, double value,
                                        double least, double most,
                                        std::string description) {
  MethodParameter parameter;
  parameter.kind = Kind::kNumber;
  parameter.name = std::move(name);
  parameter.description = std::move(description);
  parameter.value = value;
  parameter.least = least;
  parameter.most = most;
  return parameter;
}

MethodParameter MethodParameter::Whole(std::string name, int value, int least,
                                       int most, std::string description) {
  MethodParameter parameter =
      Number(std::move(name), value, least, most, std::move(description));
  parameter.kind = Kind::kWhole;
  return parameter;
}

MethodParameter MethodParameter::Word(std::string name,
                                      std::vector<std::string> words,
                                      std::string description) {
  MethodParameter parameter =
      Text(std::move(name), words.front(), std::move(description));
  parameter.kind = Kind::kWord;
  parameter.words = std::move(words);
  return parameter;
}

MethodParameter MethodParameter::Text(std::string name, std::string value,
                                      std::string description) {
  MethodParameter parameter;
  parameter.kind = Kind::kText;
  parameter.name = std::move(name);
  parameter.description = std::move(description);
  parameter.text = std::move(value);
  return parameter;
}

std::string MethodParameter::DefaultText() const {
  return is_number() ? NumberText(value) : text;
}

absl::StatusOr<ParameterValues> ParameterValues::Parse(
    std::span<const MethodParameter> parameters,
    std::span<const std::string> settings) {
  ParameterValues values;
  for (const MethodParameter& parameter : parameters) {
    values.values_[parameter.name] = {parameter.value, parameter.text};
    values.order_.push_back(parameter.name);
  }
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    const auto parameter = std::find_if(
        parameters.begin(), parameters.end(),
        [&](const MethodParameter& known) { return known.name == name; });
    if (equals == std::string::npos || parameter == parameters.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", setting, "' sets no parameter of this method; ",
                       values.order_.empty()
                           ? "the method has no parameters"
                           : absl::StrCat("give NAME=VALUE, with a name of ",
                                          absl::StrJoin(values.order_, ", "))));
    }
    const std::string text = setting.substr(equals + 1);
    Value& value = values.values_[name];
    if (parameter->is_number()) {
      SLICE_ASSIGN_OR_RETURN(value.number, ParseNumber(*parameter, text));
      continue;
    }
    if (parameter->kind == Kind::kWord) {
      SLICE_RETURN_IF_ERROR(CheckWord(*parameter, text));
    }
    if (text.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("parameter ", name, " is empty; its default is ",
                       parameter->DefaultText()));
    }
    value.text = text;
  }
  return values;
}

double ParameterValues::Number(std::string_view name) const {
  return values_.find(name)->second.number;
}

int ParameterValues::Whole(std::string_view name) const {
  return static_cast<int>(Number(name));
}

const std::string& ParameterValues::Word(std::string_view name) const {
  return values_.find(name)->second.text;
}

std::string ParameterValues::ToString() const {
  std::vector<std::string> parts;
  for (const std::string& name : order_) {
    const Value& value = values_.find(name)->second;
    parts.push_back(absl::StrCat(
        name, "=", value.text.empty() ? NumberText(value.number) : value.text));
  }
  return absl::StrJoin(parts, " ");
}

}  // namespace slice
