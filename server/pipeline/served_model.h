// A loaded model and everything needed to answer with it.
#ifndef SLICE_SERVER_PIPELINE_SERVED_MODEL_H_
#define SLICE_SERVER_PIPELINE_SERVED_MODEL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/mutex.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"
#include "model/device_health.h"
#include "model/link_predictor.h"
#include "model/model_bundle.h"
#include "server/pipeline/link_recommender.h"

namespace slice {

// How often a relation occurs and between what.
struct RelationSummary {
  uint64_t links = 0;
  std::vector<NodeTypeId> source_types;  // most frequent first
  std::vector<NodeTypeId> target_types;
};

// One summary per relation id, by one pass over the links.
std::vector<RelationSummary> SummarizeRelations(const GraphSnapshot& snapshot);

// Immutable; thread-safe. Requests share it: one is captured at admission and
// kept to the end, so that a reply never mixes two bundles.
struct ServedModel {
  std::string name;
  std::string device;                          // as asked for
  std::shared_ptr<const DeviceHealth> health;  // of the device, or null
  BundleManifest manifest;
  std::shared_ptr<const GraphSnapshot> snapshot;
  std::unique_ptr<const LinkEncoder> encoder;
  std::unique_ptr<const BatchScorer> scorer;  // keeps its bundle alive
  std::vector<RelationSummary> relations;     // by relation id
  // Reads all of the above; absent where nothing is recommended.
  std::unique_ptr<const LinkRecommender> recommender;

  // FAILED_PRECONDITION when the bundle lacks the scorer that a request names;
  // "" is the bundle's own.
  absl::Status CheckScorer(std::string_view name) const;

  // Where the network runs now: on the CPU once the device was lost.
  std::string RunsOn() const {
    return health != nullptr && health->lost() ? "cpu" : device;
  }
};

// The models being served, by name. Thread-safe.
class ModelRegistry {
 public:
  explicit ModelRegistry(std::string default_name)
      : default_name_(std::move(default_name)) {}

  // Serves `model` under its name from now on; requests that hold an older one
  // keep it.
  void Set(std::shared_ptr<const ServedModel> model);

  // From now on Find is UNAVAILABLE.
  void Close();

  // The model called `name`, the default one for "". NOT_FOUND naming those
  // there are; UNAVAILABLE before the first was set and after Close.
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

#endif  // SLICE_SERVER_PIPELINE_SERVED_MODEL_H_
