// Changes which models a server serves, while it serves. The old version
// answers until the new one is loaded and has shown that it computes what its
// trainer did; then the set of models is replaced at once. A change that fails
// changes nothing.
#ifndef SLICE_SERVER_MODELS_MODEL_DEPLOYMENT_H_
#define SLICE_SERVER_MODELS_MODEL_DEPLOYMENT_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/mutex.h"
#include "common/periodic_task.h"
#include "server/models/bundle_watch.h"
#include "server/models/model_loader.h"
#include "server/models/model_registry.h"
#include "server/models/model_source.h"
#include "server/models/retired_models.h"
#include "server/server_options.h"

namespace slice {

// How often loading a model of this name succeeded and failed, and how long the
// last load took.
struct LoadCounts {
  uint64_t loaded = 0, failed = 0;
  std::map<absl::StatusCode, uint64_t> failed_by_code = {};
  absl::Duration last;
};

// Thread-safe. One change at a time: another one meanwhile returns ABORTED.
// Loading takes seconds; the methods return when it is done.
class ModelDeployment {
 public:
  // Of `options`, only what all models have in common is used. `registry` and
  // `surroundings` must outlive the object.
  ModelDeployment(const ServerOptions& options, ModelRegistry* registry,
                  const ModelSurroundings& surroundings);
  ~ModelDeployment();

  // Serves what `wanted` lists, and nothing else. Bundles that are in memory
  // already are not loaded again. Returns the errors of LoadModel;
  // INVALID_ARGUMENT when the default model is not in the list.
  absl::Status Apply(const ModelList& wanted);

  // Loads `source` and serves it under its name: a new model, or a new version
  // of one. A source with a candidate loads the candidate alone, beside the
  // version that is served; NOT_FOUND when there is none.
  absl::Status Load(const ModelSource& source);
  // Lets the candidate of the model answer from now on. NOT_FOUND without one.
  absl::Status Promote(const std::string& name);
  // Ends a trial. NOT_FOUND when the model has no candidate.
  absl::Status DropCandidate(const std::string& name);
  // FAILED_PRECONDITION for the default model.
  absl::Status Unload(const std::string& name);
  absl::Status SetDefault(const std::string& name);
  // Loads the version before, and serves it. FAILED_PRECONDITION when there was
  // none, or its bundle is not there any more.
  absl::Status RollBack(const std::string& name);

  std::map<std::string, LoadCounts> load_counts() const;
  // Versions that are not served any more, but that requests still hold.
  size_t retired() const { return retired_.size(); }

 private:
  // The one change that is under way.
  class Change;

  // Loads a bundle and counts that. LoadVersion also logs an error.
  absl::StatusOr<std::shared_ptr<const ServedModel>> TryVersion(
      const std::string& name, const std::filesystem::path& bundle);
  absl::StatusOr<std::shared_ptr<const ServedModel>> LoadVersion(
      const std::string& name, const std::filesystem::path& bundle);
  // The version of `bundle` that is in memory under this name, or a new one.
  absl::StatusOr<std::shared_ptr<const ServedModel>> FindOrLoad(
      const ModelVersions* known, const std::string& name,
      const std::filesystem::path& bundle);
  absl::StatusOr<ModelVersions> VersionsOf(const ModelVersions* known,
                                           const ModelSource& source);
  // Replaces the set and retires what is not in it any more.
  void Publish(ModelSet next);
  // Loads the watched bundles that are due.
  void LookAtWatched();
  void LoadWatched(const BundleWatch::Due& due);

  const ServerOptions options_;
  ModelRegistry* const registry_;
  const ModelSurroundings surroundings_;

  mutable Mutex mutex_;
  bool changing_ ABSL_GUARDED_BY(mutex_) = false;
  std::map<std::string, LoadCounts> counts_ ABSL_GUARDED_BY(mutex_);
  BundleWatch watched_ ABSL_GUARDED_BY(mutex_);

  RetiredModels retired_;
  std::unique_ptr<PeriodicTask> watch_;
};

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_MODEL_DEPLOYMENT_H_
