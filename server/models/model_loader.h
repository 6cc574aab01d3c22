// Loads a bundle and its graph into a model that is ready to serve.
#ifndef SLICE_SERVER_MODELS_MODEL_LOADER_H_
#define SLICE_SERVER_MODELS_MODEL_LOADER_H_

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "graphstore/rocksdb_graph_store.h"
#include "server/models/served_model.h"
#include "server/server_options.h"

namespace slice {

// A model and the store that its snapshot was built from. The store stays open
// while the model is served, because it holds the lock of its directory.
struct LoadedModel {
  std::shared_ptr<const ServedModel> model;
  std::unique_ptr<RocksDbGraphStore> store;
  std::filesystem::path graph_directory;
};

// Verifies the bundle and opens the store `<data_dir>/graphs/<graph digest>/`,
// which is built from the bundle's graph/ the first time. Then builds the
// snapshot, checks that graph and bundle belong together, loads the network and
// warms it up. A loss of the device is reported to `health`, which may be null.
// Returns the errors of ModelBundle::Open, OpenServedGraph and
// LinkPredictor::Create; FAILED_PRECONDITION when neither the bundle nor the
// data directory holds the graph.
absl::StatusOr<LoadedModel> LoadModel(
    const ServerOptions& options,
    std::shared_ptr<DeviceHealth> health = nullptr);

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_MODEL_LOADER_H_
