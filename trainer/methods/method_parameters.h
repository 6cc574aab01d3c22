// The parameters of a comparison method, as a user sets them: NAME=VALUE.
#ifndef SLICE_TRAINER_METHODS_METHOD_PARAMETERS_H_
#define SLICE_TRAINER_METHODS_METHOD_PARAMETERS_H_

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace slice {

// A number within bounds, or one of some words.
struct MethodParameter {
  static MethodParameter Number(std::string name, double value, double least,
                                double most, std::string what);
  static MethodParameter Whole(std::string name, int value, int least, int most,
                               std::string what);
  // The first word is the default.
  static MethodParameter Word(std::string name, std::vector<std::string> words,
                              std::string what);
  // Any text; how it reads is for the method to say.
  static MethodParameter Text(std::string name, std::string value,
                              std::string what);

  bool is_number() const {
    return kind == Kind::kNumber || kind == Kind::kWhole;
  }
  std::string DefaultText() const;

  enum class Kind { kNumber, kWhole, kWord, kText };
  Kind kind = Kind::kNumber;
  std::string name;
  std::string what;  // for the help
  double value = 0, least = 0, most = 0;
  std::string text;                // default of kWord and kText
  std::vector<std::string> words;  // of kWord
};

// A value for every parameter. Immutable.
class ParameterValues {
 public:
  // The defaults, and over them what `settings` ("dim=64") say.
  // INVALID_ARGUMENT for a name that is none of the parameters (naming those),
  // a value that does not read, or one out of bounds (naming these).
  static absl::StatusOr<ParameterValues> Parse(
      std::span<const MethodParameter> parameters,
      std::span<const std::string> settings);

  // REQUIRES, of all: there is a parameter of this name and kind.
  double Number(std::string_view name) const;
  int Whole(std::string_view name) const;
  const std::string& Word(std::string_view name) const;  // or a text

  // "dim=200 epochs=50", in the order of the parameters: for reports and to
  // tell runs apart.
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
