// The step `store`: reads the graph of a live store, which a server may be
// changing meanwhile, and writes it as one file of links and one of nodes.
#ifndef SLICE_TRAINER_FIT_STORE_STEP_H_
#define SLICE_TRAINER_FIT_STORE_STEP_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "graphstore/rocksdb_graph_store.h"
#include "trainer/fit/fit_options.h"
#include "trainer/fit/step_fingerprint.h"

namespace slice {

// Files in the work folder.
struct StoreFiles {
  std::filesystem::path links;  // in the order in which they came
  std::filesystem::path nodes;  // key, type, name
  bool has_weights = false;
  StoreGraph graph;
  std::string description;  // one sentence
  std::string fingerprint;
};

// A step as finish_step.h describes it. The links of the base come first, in an
// order drawn by hash, then those that were added, by version. So --split-by
// newest holds out the newest changes first, and then links of the base at
// random. Nodes come in the order of their ids, removed ones too, so that the
// bundle has the same ids. Without --graph-version the step takes the version
// that the store has when the step is made.
class StoreStep {
 public:
  static constexpr char kName[] = "store";

  // `options` must outlive the step. NOT_FOUND when there is no graph;
  // OUT_OF_RANGE for a version that the store does not have.
  static absl::StatusOr<StoreStep> Open(const FitOptions& options);

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<StoreFiles> Load(const nlohmann::json& record) const;

 private:
  StoreStep(const FitOptions& options,
            std::unique_ptr<RocksDbGraphStore> store);

  const FitOptions* options_;
  std::unique_ptr<RocksDbGraphStore> store_;
  LiveGraphOrigin origin_;
  std::string state_digest_;  // of the version
};

// `options` that split the links of the store.
FitOptions WithStoreFiles(const FitOptions& options, const StoreFiles& files);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_STORE_STEP_H_
