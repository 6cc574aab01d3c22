// The values of a configuration file in YAML, each with its place in the file.
//
//   SLICE_ASSIGN_OR_RETURN(const ConfigValue file, ReadConfigFile(path));
//   SLICE_ASSIGN_OR_RETURN(const auto sections, file.Entries());
//   return sections[0].value.Error("says what is wrong");  // "FILE:3:5: ..."
#ifndef SLICE_COMMON_CONFIG_CONFIG_VALUE_H_
#define SLICE_COMMON_CONFIG_CONFIG_VALUE_H_

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

struct ConfigEntry;

// A scalar, a list or a map; `key:` without a value is an empty value, which
// reads as an empty text, list or map. Copies share the parsed file. Immutable;
// not thread-safe.
class ConfigValue {
 public:
  // Where the value begins: "FILE:LINE:COLUMN", counted from 1.
  std::string Place() const;

  // INVALID_ARGUMENT "PLACE: message".
  absl::Status Error(std::string_view message) const;

  // The text of a scalar. INVALID_ARGUMENT for a list or a map.
  absl::StatusOr<std::string> Text() const;
  // The value of a scalar that is "true" or "false".
  absl::StatusOr<bool> Bool() const;
  // The value of a scalar that is a finite number.
  absl::StatusOr<double> Number() const;
  // The items of a list; of a scalar, the scalar alone. INVALID_ARGUMENT for a
  // map.
  absl::StatusOr<std::vector<ConfigValue>> Items() const;
  // The entries of a map, in the order of the file. INVALID_ARGUMENT for
  // another value, and when a key occurs twice or is no scalar.
  absl::StatusOr<std::vector<ConfigEntry>> Entries() const;
  // The value at a path of keys, spelled with hyphens or underscores. Nothing
  // when a key is missing or its parent is no map.
  std::optional<ConfigValue> Find(
      std::initializer_list<std::string_view> keys) const;

  // The value as YAML, without the file's comments. Every line is indented.
  std::string Yaml(int indent) const;

 private:
  friend absl::StatusOr<ConfigValue> ReadConfigFile(
      const std::filesystem::path& path);
  struct Parsed;

  explicit ConfigValue(std::shared_ptr<const Parsed> parsed)
      : parsed_(std::move(parsed)) {}

  std::shared_ptr<const Parsed> parsed_;
};

struct ConfigEntry {
  std::string key;
  ConfigValue key_value;  // for errors at the key
  ConfigValue value;
};

// The value of a whole file, a map unless the file says otherwise; an empty
// file is an empty map. Returns the errors of ReadFile (common/files.h), and
// INVALID_ARGUMENT with the place for text that is no YAML or that holds
// several documents.
absl::StatusOr<ConfigValue> ReadConfigFile(const std::filesystem::path& path);

// `text` as a scalar of YAML, in quotes where it needs them.
std::string YamlScalar(const std::string& text);

}  // namespace slice

#endif  // SLICE_COMMON_CONFIG_CONFIG_VALUE_H_
