// Reads fields of MANIFEST.json.
#ifndef SLICE_MODEL_JSON_FIELDS_H_
#define SLICE_MODEL_JSON_FIELDS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"

namespace slice {

// Reads fields of an object one after the other; keeps the first error.
// Thread-compatible.
class FieldReader {
 public:
  explicit FieldReader(const nlohmann::json& object) : object_(object) {}

  template <typename T>
  FieldReader& Read(const char* name, T& value) {
    if (!status_.ok()) return *this;
    const auto found = object_.find(name);
    if (found == object_.end()) {
      status_ = absl::DataLossError(
          absl::StrCat("MANIFEST.json lacks the field '", name, "'"));
      return *this;
    }
    try {
      found->get_to(value);
    } catch (const nlohmann::json::exception&) {
      status_ = absl::DataLossError(absl::StrCat("MANIFEST.json: the field '",
                                                 name, "' has the wrong type"));
    }
    return *this;
  }
  absl::Status status() const { return status_; }

 private:
  const nlohmann::json& object_;
  absl::Status status_;
};

// A name of the manifest as a value. An error tells which file is at fault.
template <typename Value>
absl::StatusOr<Value> NamedValue(absl::StatusOr<Value> parsed) {
  if (parsed.ok()) return parsed;
  return absl::DataLossError(
      absl::StrCat("MANIFEST.json: ", parsed.status().message()));
}

}  // namespace slice

#endif  // SLICE_MODEL_JSON_FIELDS_H_
