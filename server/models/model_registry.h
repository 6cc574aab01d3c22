// The models being served, by name.
#ifndef SLICE_SERVER_MODELS_MODEL_REGISTRY_H_
#define SLICE_SERVER_MODELS_MODEL_REGISTRY_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "common/mutex.h"
#include "server/models/served_model.h"

namespace slice {

// Thread-safe.
class ModelRegistry {
 public:
  explicit ModelRegistry(std::string default_name)
      : default_name_(std::move(default_name)) {}

  // Serves `model` under its name from now on. Requests that hold an older
  // model of this name keep it.
  void Set(std::shared_ptr<const ServedModel> model);

  // From now on Find returns UNAVAILABLE.
  void Close();

  // Returns the model called `name`, or the default model when `name` is empty.
  // NOT_FOUND, with a list of the names that exist, for any other name;
  // UNAVAILABLE before the first Set and after Close.
  absl::StatusOr<std::shared_ptr<const ServedModel>> Find(
      std::string_view name) const;

 private:
  const std::string default_name_;

  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<const ServedModel>, std::less<>> models_
      ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_MODEL_REGISTRY_H_
