#include "server/models/retired_models.h"

#include <iterator>
#include <utility>

#include "absl/time/time.h"
#include "common/freed_memory.h"
#include "common/logging.h"

namespace slice {
namespace {

constexpr absl::Duration kInterval = absl::Milliseconds(200);

}  // namespace

RetiredModels::RetiredModels()
    : task_(kInterval, [this] { DestroyUnused(); }) {}

void RetiredModels::Add(std::shared_ptr<const ServedModel> model) {
  MutexLock lock(&mutex_);
  models_.push_back(std::move(model));
}

size_t RetiredModels::size() const {
  MutexLock lock(&mutex_);
  return models_.size();
}

void RetiredModels::DestroyUnused() {
  std::vector<std::shared_ptr<const ServedModel>> unused;
  {
    MutexLock lock(&mutex_);
    // Nobody can come to hold a model that only this object holds.
    for (size_t i = 0; i < models_.size();) {
      if (models_[i].use_count() > 1) {
        ++i;
        continue;
      }
      unused.push_back(std::move(models_[i]));
      models_.erase(models_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  for (auto& model : unused) {
    const std::string name = model->name, bundle = model->manifest.bundle_id;
    const double before = ResidentMib();
    model.reset();
    ReturnFreedMemory();
    LogInfo(
        "freed model '%s', bundle %s: %.0f MiB went back, %.0f MiB are held",
        name, bundle, before - ResidentMib(), ResidentMib());
  }
}

}  // namespace slice
