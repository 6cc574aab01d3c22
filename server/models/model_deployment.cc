// A change has three parts: it loads what it needs, makes the next ModelSet,
// and publishes it (Publish). Only the last part is seen by requests, and it
// cannot fail. Versions that are left out then go to RetiredModels.
#include "server/models/model_deployment.h"

#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/did_you_mean.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/status_macros.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

constexpr absl::Duration kWatchInterval = absl::Seconds(2);

// Whether the directory of a model that is in memory still has its bundle.
bool HoldsItStill(const ServedModel& model) {
  const auto json = ReadFile(model.directory / "MANIFEST.json");
  if (!json.ok()) return false;
  const auto manifest = ManifestFromJson(*json);
  return manifest.ok() && manifest->bundle_id == model.manifest.bundle_id;
}

absl::StatusOr<ModelVersions*> FindIn(ModelSet& set, const std::string& name) {
  const auto found = set.models.find(name);
  if (found != set.models.end()) return &found->second;
  std::vector<std::string> names;
  for (const auto& [known, versions] : set.models) names.push_back(known);
  return absl::NotFoundError(absl::StrCat("there is no model ", Quoted(name),
                                          Alternatives(name, names)));
}

std::set<std::shared_ptr<const ServedModel>> VersionsIn(const ModelSet& set) {
  std::set<std::shared_ptr<const ServedModel>> versions;
  for (const auto& [name, model] : set.models) {
    versions.insert(model.serving);
    if (model.candidate.has_value()) versions.insert(model.candidate->model);
  }
  return versions;
}

// Puts `model` in the place of the version that is served.
void ServeInstead(std::shared_ptr<const ServedModel> model,
                  ModelVersions* versions) {
  if (versions->serving != nullptr && versions->serving != model) {
    versions->previous_directory = versions->serving->directory;
    versions->previous_bundle_id = versions->serving->manifest.bundle_id;
  }
  versions->serving = std::move(model);
}

void LogNotLoaded(const std::string& name, const absl::Status& why) {
  LogError("model '%s' was not loaded: %s", name, std::string(why.message()));
}

absl::Status NoCandidate(const std::string& name) {
  return absl::NotFoundError(
      absl::StrCat("model ", Quoted(name), " has no candidate"));
}

}  // namespace

// Holds the right to change the models, if nobody else does.
class ModelDeployment::Change {
 public:
  explicit Change(ModelDeployment* deployment) : deployment_(deployment) {
    MutexLock lock(&deployment_->mutex_);
    begun_ = !deployment_->changing_;
    deployment_->changing_ = true;
  }
  ~Change() {
    if (!begun_) return;
    MutexLock lock(&deployment_->mutex_);
    deployment_->changing_ = false;
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

  absl::Status status() const {
    return begun_ ? absl::OkStatus()
                  : absl::AbortedError(
                        "another change of the models is under "
                        "way; try again when it has ended");
  }

 private:
  ModelDeployment* const deployment_;
  bool begun_ = false;
};

ModelDeployment::ModelDeployment(const ServerOptions& options,
                                 ModelRegistry* registry,
                                 const ModelSurroundings& surroundings)
    : options_(options),
      registry_(registry),
      surroundings_(surroundings),
      watch_(std::make_unique<PeriodicTask>(kWatchInterval,
                                            [this] { LookAtWatched(); })) {}

ModelDeployment::~ModelDeployment() { watch_.reset(); }

absl::Status ModelDeployment::Apply(const ModelList& wanted) {
  const Change change(this);
  SLICE_RETURN_IF_ERROR(change.status());
  const auto before = registry_->models();
  ModelSet next;
  next.default_name = wanted.default_name;
  BundleWatch watched;
  for (const ModelSource& source : wanted.models) {
    const auto known = before->models.find(source.name);
    const ModelVersions* const versions =
        known == before->models.end() ? nullptr : &known->second;
    if (source.watch) watched.Add(source.name, source.bundle);
    SLICE_ASSIGN_OR_RETURN(next.models[source.name],
                           VersionsOf(versions, source));
  }
  SLICE_RETURN_IF_ERROR(FindIn(next, next.default_name).status());
  Publish(std::move(next));
  MutexLock lock(&mutex_);
  watched_ = std::move(watched);
  return absl::OkStatus();
}

absl::StatusOr<ModelVersions> ModelDeployment::VersionsOf(
    const ModelVersions* known, const ModelSource& source) {
  ModelVersions versions = known == nullptr ? ModelVersions() : *known;
  versions.candidate.reset();
  SLICE_ASSIGN_OR_RETURN(auto serving,
                         FindOrLoad(known, source.name, source.bundle));
  ServeInstead(std::move(serving), &versions);
  if (source.candidate.has_value()) {
    SLICE_ASSIGN_OR_RETURN(
        auto tried, FindOrLoad(known, source.name, source.candidate->bundle));
    versions.candidate = Candidate{std::move(tried), source.candidate->trial};
  }
  return versions;
}

absl::StatusOr<std::shared_ptr<const ServedModel>> ModelDeployment::FindOrLoad(
    const ModelVersions* known, const std::string& name,
    const fs::path& bundle) {
  std::error_code error;
  const fs::path real = fs::canonical(bundle, error);
  const auto is_it = [&](const std::shared_ptr<const ServedModel>& model) {
    return !error && model->directory == real && HoldsItStill(*model);
  };
  if (known != nullptr && is_it(known->serving)) return known->serving;
  if (known != nullptr && known->candidate.has_value() &&
      is_it(known->candidate->model)) {
    return known->candidate->model;
  }
  return LoadVersion(name, bundle);
}

absl::StatusOr<std::shared_ptr<const ServedModel>> ModelDeployment::LoadVersion(
    const std::string& name, const fs::path& bundle) {
  auto loaded = TryVersion(name, bundle);
  // Without a model the server ends, and says why itself.
  if (!loaded.ok() && !registry_->models()->models.empty()) {
    LogNotLoaded(name, loaded.status());
  }
  return loaded;
}

absl::StatusOr<std::shared_ptr<const ServedModel>> ModelDeployment::TryVersion(
    const std::string& name, const fs::path& bundle) {
  const absl::Time start = absl::Now();
  auto loaded = LoadModel(options_, name, bundle, surroundings_);
  const absl::Duration took = absl::Now() - start;
  {
    MutexLock lock(&mutex_);
    LoadCounts& counts = counts_[name];
    ++(loaded.ok() ? counts.loaded : counts.failed);
    if (!loaded.ok()) ++counts.failed_by_code[loaded.status().code()];
    counts.last = took;
  }
  if (!loaded.ok()) return loaded.status();
  const ServedModel& model = **loaded;
  const auto graph = model.Graph();
  LogInfo("loaded model '%s', bundle %s, in %s: %d nodes, %d links", name,
          model.manifest.bundle_id,
          absl::FormatDuration(absl::Trunc(took, absl::Milliseconds(1))),
          graph->present_node_count(), graph->link_count());
  if (graph->graph_version() != model.base_graph_version) {
    LogInfo(
        "the graph of '%s' has changed since the model was made: version %d",
        name, graph->graph_version());
  }
  return loaded;
}

absl::Status ModelDeployment::Load(const ModelSource& source) {
  const Change change(this);
  SLICE_RETURN_IF_ERROR(change.status());
  ModelSet next = *registry_->models();
  if (source.candidate.has_value()) {
    SLICE_RETURN_IF_ERROR(FindIn(next, source.name).status());
    SLICE_ASSIGN_OR_RETURN(auto model,
                           LoadVersion(source.name, source.candidate->bundle));
    next.models[source.name].candidate =
        Candidate{std::move(model), source.candidate->trial};
  } else {
    SLICE_ASSIGN_OR_RETURN(auto model, LoadVersion(source.name, source.bundle));
    ServeInstead(std::move(model), &next.models[source.name]);
  }
  Publish(std::move(next));
  return absl::OkStatus();
}

absl::Status ModelDeployment::Promote(const std::string& name) {
  const Change change(this);
  SLICE_RETURN_IF_ERROR(change.status());
  ModelSet next = *registry_->models();
  SLICE_ASSIGN_OR_RETURN(ModelVersions* const versions, FindIn(next, name));
  if (!versions->candidate.has_value()) return NoCandidate(name);
  ServeInstead(versions->candidate->model, versions);
  versions->candidate.reset();
  Publish(std::move(next));
  return absl::OkStatus();
}

absl::Status ModelDeployment::DropCandidate(const std::string& name) {
  const Change change(this);
  SLICE_RETURN_IF_ERROR(change.status());
  ModelSet next = *registry_->models();
  SLICE_ASSIGN_OR_RETURN(ModelVersions* const versions, FindIn(next, name));
  if (!versions->candidate.has_value()) return NoCandidate(name);
  versions->candidate.reset();
  Publish(std::move(next));
  return absl::OkStatus();
}

absl::Status ModelDeployment::Unload(const std::string& name) {
  const Change change(this);
  SLICE_RETURN_IF_ERROR(change.status());
  ModelSet next = *registry_->models();
  SLICE_RETURN_IF_ERROR(FindIn(next, name).status());
  if (name == next.default_name) {
    return absl::FailedPreconditionError(
        absl::StrCat("model ", Quoted(name),
                     " is the default; make another one the default first"));
  }
  next.models.erase(name);
  Publish(std::move(next));
  MutexLock lock(&mutex_);
  watched_.Remove(name);
  return absl::OkStatus();
}

absl::Status ModelDeployment::SetDefault(const std::string& name) {
  const Change change(this);
  SLICE_RETURN_IF_ERROR(change.status());
  ModelSet next = *registry_->models();
  SLICE_RETURN_IF_ERROR(FindIn(next, name).status());
  next.default_name = name;
  Publish(std::move(next));
  return absl::OkStatus();
}

absl::Status ModelDeployment::RollBack(const std::string& name) {
  const Change change(this);
  SLICE_RETURN_IF_ERROR(change.status());
  ModelSet next = *registry_->models();
  SLICE_ASSIGN_OR_RETURN(ModelVersions* const versions, FindIn(next, name));
  if (versions->previous_directory.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "model ", Quoted(name), " has no version before this one"));
  }
  SLICE_ASSIGN_OR_RETURN(auto model,
                         LoadVersion(name, versions->previous_directory));
  if (model->manifest.bundle_id != versions->previous_bundle_id) {
    return absl::FailedPreconditionError(absl::StrCat(
        versions->previous_directory.string(), " now holds the bundle ",
        model->manifest.bundle_id, "; the version before was ",
        versions->previous_bundle_id));
  }
  ServeInstead(std::move(model), versions);
  Publish(std::move(next));
  return absl::OkStatus();
}

void ModelDeployment::Publish(ModelSet next) {
  auto unused = VersionsIn(*registry_->models());
  for (const auto& version : VersionsIn(next)) unused.erase(version);
  registry_->Replace(std::move(next));
  for (const auto& version : unused) retired_.Add(version);
}

void ModelDeployment::LookAtWatched() {
  std::vector<BundleWatch::Due> due;
  {
    MutexLock lock(&mutex_);
    if (changing_) return;
    due = watched_.Look(absl::Now());
  }
  for (const BundleWatch::Due& one : due) LoadWatched(one);
}

void ModelDeployment::LoadWatched(const BundleWatch::Due& due) {
  const Change change(this);
  if (!change.status().ok()) return;  // it is still due at the next look
  ModelSet next = *registry_->models();
  const auto versions = next.models.find(due.name);
  if (versions == next.models.end()) return;  // it was unloaded meanwhile
  auto model = TryVersion(due.name, due.bundle);
  if (!model.ok()) {
    MutexLock lock(&mutex_);
    if (watched_.Failed(due, std::string(model.status().message()),
                        absl::Now())) {
      LogNotLoaded(due.name, model.status());
    }
    return;
  }
  ServeInstead(*std::move(model), &versions->second);
  Publish(std::move(next));
  MutexLock lock(&mutex_);
  watched_.Loaded(due);
}

std::map<std::string, LoadCounts> ModelDeployment::load_counts() const {
  MutexLock lock(&mutex_);
  return counts_;
}

}  // namespace slice
