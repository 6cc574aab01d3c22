// The parameters of a comparison method, which a user sets as NAME=VALUE.
#ifndef SLICE_TRAINER_METHODS_METHOD_PARAMETERS_H_
#define SLICE_TRAINER_METHODS_METHOD_PARAMETERS_H_

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace slice {

// A parameter: a number within bounds, one of several words, or a text.
struct MethodParameter {
  static MethodParameter Number(std::string name, double value, double least,
                                double most, std::string description);
  static MethodParameter Whole(std::string name, int value, int least, int most,
                               std::string description);
  // The first word is the default.
  static MethodParameter Word(std::string name, std::vector<std::string> words,
                              std::string description);
  // Any text; the method itself parses it.
  static MethodParameter Text(std::string name, std::string value,
                              std::string description);

  bool is_number() const {
    return kind == Kind::kNumber || kind == Kind::kWhole;
  }
  std::string DefaultText() const;

  enum class Kind { kNumber, kWhole, kWord, kText };
  Kind kind = Kind::kNumber;
  std::string name;
  std::string description;  // shown in the help
  double value = 0, least = 0, most = 0;
  std::string text;                // the default of kWord and kText
  std::vector<std::string> words;  // the choices of kWord
};

// The value of every parameter of a method. Immutable.
class ParameterValues {
 public:
  // The defaults, changed by `settings` such as "dim=64". Of several settings
  // of one name the last one counts. INVALID_ARGUMENT for an unknown name (the
  // message lists the names), for a value that does not parse, and for a value
  // out of bounds (the message names the bounds).
  static absl::StatusOr<ParameterValues> Parse(
      std::span<const MethodParameter> parameters,
      std::span<const std::string> settings);

  bool Has(std::string_view name) const { return values_.contains(name); }
  // REQUIRES: there is a parameter of this name and kind.
  double Number(std::string_view name) const;
  int Whole(std::string_view name) const;
  const std::string& Word(std::string_view name) const;  // also for kText

  // "dim=200 epochs=50", in the order of the parameters. Reports show it, and a
  // comparison tells runs apart by it.
  std::string ToString() const;

 private:
  struct Value {
    double number = 0;
    std::string text;
  };

  std::map<std::string, Value, std::less<>> values_;
  std::vector<std::string> order_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_METHOD_PARAMETERS_H_
