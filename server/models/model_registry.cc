#include "server/models/model_registry.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace slice {

void ModelRegistry::Set(std::shared_ptr<const ServedModel> model) {
  const std::string name = model->name;
  MutexLock lock(&mutex_);
  // Now `model` holds the previous model, which is destroyed only after the
  // lock is released.
  std::swap(models_[name], model);
}

void ModelRegistry::Close() {
  MutexLock lock(&mutex_);
  closed_ = true;
}

absl::StatusOr<std::shared_ptr<const ServedModel>> ModelRegistry::Find(
    std::string_view name) const {
  MutexLock lock(&mutex_);
  if (closed_) return absl::UnavailableError("the server is stopping");
  if (models_.empty()) {
    return absl::UnavailableError("the server is still loading its model");
  }
  const auto found = models_.find(name.empty() ? default_name_ : name);
  if (found != models_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, model] : models_) names.push_back(known);
  return absl::NotFoundError(absl::StrCat(
      "model '", std::string(name),
      "' is not served; the server has: ", absl::StrJoin(names, ", ")));
}

}  // namespace slice
