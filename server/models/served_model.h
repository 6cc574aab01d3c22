// A loaded model with everything that is needed to answer requests.
#ifndef SLICE_SERVER_MODELS_SERVED_MODEL_H_
#define SLICE_SERVER_MODELS_SERVED_MODEL_H_

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "context/evidence_tables.h"
#include "context/link_encoder.h"
#include "context/unknown_nodes.h"
#include "graphstore/graph_snapshot.h"
#include "model/batch_scorer.h"
#include "model/bundle_manifest.h"
#include "model/device_health.h"
#include "model/link_recommender.h"
#include "server/graph/awaited_versions.h"
#include "server/models/served_graph.h"

namespace slice {

// Immutable but for its counts; thread-safe. Requests share it. A request takes
// one at admission and keeps it to its end, so that a reply never mixes two
// bundles.
struct ServedModel {
  std::string name;
  std::filesystem::path directory;  // of the bundle; links are resolved
  absl::Time loaded;
  std::string device;                          // as in ServerOptions
  std::shared_ptr<const DeviceHealth> health;  // of the device, or null
  BundleManifest manifest;
  std::shared_ptr<const ServedGraph> graph;  // null in tests
  // The graph that the model was made for, while it is loaded and in tests.
  // Requests read Graph().
  std::shared_ptr<const GraphSnapshot> snapshot;
  uint64_t base_graph_version = 0;                    // of that graph
  std::shared_ptr<const RelationSchema> schema;       // of that graph
  std::unique_ptr<const UnknownNodes> unknown_nodes;  // of that graph
  std::unique_ptr<const LinkEncoder> encoder;
  std::unique_ptr<const BatchScorer> scorer;  // keeps its bundle alive
  EvidenceTables evidence;                    // for FULL explanations
  // Uses the members above. Null in tests that recommend nothing.
  std::unique_ptr<const LinkRecommender> recommender;

  // How many golden links it reproduced when it was loaded, and the largest
  // difference of a logit (CheckGoldenLinks).
  size_t golden_links = 0;
  double golden_difference = 0;

  // The report of its training, in HTML; empty where the bundle has none.
  std::string report;

  // The links that it has scored, and those that failed in it.
  mutable std::atomic<uint64_t> scored = 0, failed = 0;

  // The present version of the graph.
  std::shared_ptr<const GraphSnapshot> Graph() const {
    return graph == nullptr ? snapshot : graph->live->Current();
  }

  // As LiveGraph::WhenVisible, for the versions of Graph().
  absl::Status WhenGraphHas(AwaitedVersions::Wait wait) const;

  // Returns FAILED_PRECONDITION when the bundle lacks the scorer `name`. An
  // empty `name` means the bundle's default scorer.
  absl::Status CheckScorer(std::string_view name) const;

  // The device that runs the network now: the CPU once the device was lost.
  std::string RunsOn() const {
    return health != nullptr && health->lost() ? "cpu" : device;
  }
};

// A model, and the version of its graph in which a request is answered: that of
// the model, or one that a what-if question made of it.
struct ModelOnGraph {
  ModelOnGraph(const ServedModel& of_model, const GraphSnapshot& of_graph)
      : model(of_model), graph(of_graph) {}
  explicit ModelOnGraph(const ServedModel& of_model)
      : ModelOnGraph(of_model, *of_model.snapshot) {}

  // That of the graph on which the model was trained; where tests lack it, that
  // of the graph asked.
  const RelationSchema& schema() const {
    return model.schema != nullptr ? *model.schema : graph.schema();
  }

  const ServedModel& model;
  const GraphSnapshot& graph;
};

// How logs name a version: "MODEL@BUNDLE_ID".
std::string VersionName(const ServedModel& model);

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_SERVED_MODEL_H_
