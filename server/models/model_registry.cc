#include "server/models/model_registry.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/random.h"
#include "common/status_macros.h"

namespace slice {
namespace {

// Whether the keys are among the share of the trial. Another candidate chooses
// other requests.
bool Chooses(const Candidate& candidate, const TrialKeys& keys) {
  const uint64_t key =
      candidate.trial.by == TrialBy::kIdentity ? keys.identity : keys.link;
  const uint64_t hash =
      CombineHash(HashBytes(candidate.model->manifest.bundle_id), key);
  return static_cast<double>(hash >> 11) * 0x1.0p-53 < candidate.trial.share;
}

absl::StatusOr<const ModelVersions*> Lookup(const ModelSet& set,
                                            std::string_view name,
                                            const ModelNames& permitted) {
  const auto found =
      set.models.find(name.empty() ? std::string_view(set.default_name) : name);
  if (found != set.models.end()) return &found->second;
  std::vector<std::string> names;
  for (const auto& [known, versions] : set.models) {
    if (permitted.empty() || permitted.contains(known)) names.push_back(known);
  }
  return absl::NotFoundError(absl::StrCat(
      "model '", std::string(name.empty() ? set.default_name : name),
      "' is not served; the server has: ", absl::StrJoin(names, ", ")));
}

}  // namespace

ModelRegistry::ModelRegistry(std::string default_name) {
  ModelSet empty;
  empty.default_name = std::move(default_name);
  models_ = std::make_shared<const ModelSet>(std::move(empty));
}

void ModelRegistry::Replace(ModelSet models) {
  const bool has_candidates = std::any_of(
      models.models.begin(), models.models.end(),
      [](const auto& one) { return one.second.candidate.has_value(); });
  auto next = std::make_shared<const ModelSet>(std::move(models));
  {
    MutexLock lock(&mutex_);
    // Now `next` holds the previous set, which is destroyed only after the lock
    // is released.
    std::swap(models_, next);
  }
  has_candidates_.store(has_candidates);
}

void ModelRegistry::Serve(std::shared_ptr<const ServedModel> model) {
  ModelSet next = *models();
  ModelVersions versions;
  versions.serving = std::move(model);
  next.models[versions.serving->name] = versions;
  Replace(std::move(next));
}

std::shared_ptr<const ModelSet> ModelRegistry::models() const {
  MutexLock lock(&mutex_);
  return models_;
}

void ModelRegistry::Close() {
  MutexLock lock(&mutex_);
  closed_ = true;
}

absl::StatusOr<std::shared_ptr<const ModelSet>> ModelRegistry::Open() const {
  MutexLock lock(&mutex_);
  if (closed_) return absl::UnavailableError("the server is stopping");
  if (models_->models.empty()) {
    return absl::UnavailableError("the server is still loading its model");
  }
  return models_;
}

absl::StatusOr<std::shared_ptr<const ServedModel>> ModelRegistry::Find(
    std::string_view name, const ModelNames& permitted) const {
  SLICE_ASSIGN_OR_RETURN(const auto set, Open());
  SLICE_ASSIGN_OR_RETURN(const ModelVersions* const found,
                         Lookup(*set, name, permitted));
  return found->serving;
}

absl::StatusOr<std::shared_ptr<const ServedModel>> ModelRegistry::Route(
    std::string_view name, const TrialKeys& keys,
    const ModelNames& permitted) const {
  SLICE_ASSIGN_OR_RETURN(const auto set, Open());
  SLICE_ASSIGN_OR_RETURN(const ModelVersions* const found,
                         Lookup(*set, name, permitted));
  const auto& candidate = found->candidate;
  if (candidate.has_value() && candidate->trial.kind == TrialKind::kCanary &&
      Chooses(*candidate, keys)) {
    return candidate->model;
  }
  return found->serving;
}

std::shared_ptr<const ServedModel> ModelRegistry::ShadowOf(
    const ServedModel& answered, const TrialKeys& keys) const {
  const auto set = models();
  const auto found = set->models.find(answered.name);
  if (found == set->models.end() || found->second.serving.get() != &answered) {
    return nullptr;
  }
  const auto& candidate = found->second.candidate;
  if (candidate.has_value() && candidate->trial.kind == TrialKind::kShadow &&
      Chooses(*candidate, keys)) {
    return candidate->model;
  }
  return nullptr;
}

}  // namespace slice
