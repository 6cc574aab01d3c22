// The versions of each model that are in memory, and which of them answers a
// request.
#ifndef SLICE_SERVER_MODELS_MODEL_REGISTRY_H_
#define SLICE_SERVER_MODELS_MODEL_REGISTRY_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "common/mutex.h"
#include "server/models/model_source.h"
#include "server/models/served_model.h"

namespace slice {

// A version that is tried beside the one that is served.
struct Candidate {
  std::shared_ptr<const ServedModel> model;
  Trial trial;
};

// The versions of a model.
struct ModelVersions {
  std::shared_ptr<const ServedModel> serving;  // never null
  std::optional<Candidate> candidate = std::nullopt;
  // The version that `serving` replaced, which is not in memory any more.
  std::filesystem::path previous_directory = {};
  std::string previous_bundle_id = "";
};

// All models by name, and the name of the one that answers requests that name
// none.
struct ModelSet {
  std::map<std::string, ModelVersions, std::less<>> models;
  std::string default_name;
};

// The models that a caller may ask; none: all.
using ModelNames = std::set<std::string>;

// By what a request is chosen for a trial (TrialBy).
struct TrialKeys {
  uint64_t identity = 0;
  uint64_t link = 0;
};

// Readers take the whole set of models, which never changes; a change replaces
// the set. So a request sees all of a change or nothing of it. Thread-safe.
class ModelRegistry {
 public:
  explicit ModelRegistry(std::string default_name);

  // From now on these models are served. Requests that hold a model keep it.
  void Replace(ModelSet models);
  // Adds `model`, or replaces the version of that name that is served.
  void Serve(std::shared_ptr<const ServedModel> model);

  std::shared_ptr<const ModelSet> models() const;

  // From now on Find returns UNAVAILABLE.
  void Close();

  // Returns the served version of the model called `name`, or of the default
  // model when `name` is empty. NOT_FOUND, with a list of the names that exist
  // and that the caller may ask, for any other name; UNAVAILABLE before the
  // first model and after Close.
  absl::StatusOr<std::shared_ptr<const ServedModel>> Find(
      std::string_view name, const ModelNames& permitted = {}) const;
  // As Find, or the canary of that model if `keys` choose it.
  absl::StatusOr<std::shared_ptr<const ServedModel>> Route(
      std::string_view name, const TrialKeys& keys,
      const ModelNames& permitted = {}) const;
  // The version that scores the request too, without answering: the shadow
  // candidate of the model of which `answered` is the served version. Null when
  // there is none or `keys` do not choose it.
  std::shared_ptr<const ServedModel> ShadowOf(const ServedModel& answered,
                                              const TrialKeys& keys) const;
  // Whether any model has a candidate. Cheap.
  bool HasCandidates() const {
    return has_candidates_.load(std::memory_order_relaxed);
  }

 private:
  absl::StatusOr<std::shared_ptr<const ModelSet>> Open() const;

  mutable Mutex mutex_;
  std::shared_ptr<const ModelSet> models_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::atomic<bool> has_candidates_ = false;
};

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_MODEL_REGISTRY_H_
