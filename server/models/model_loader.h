// Loads a bundle and its graph into a model that is ready to serve.
#ifndef SLICE_SERVER_MODELS_MODEL_LOADER_H_
#define SLICE_SERVER_MODELS_MODEL_LOADER_H_

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "common/signing.h"
#include "server/models/served_graph.h"
#include "server/models/served_model.h"
#include "server/server_options.h"

namespace slice {

// What all models of a server have in common. A lost device is reported to
// `health`, which may be null.
struct ModelSurroundings {
  ServedGraphs* graphs = nullptr;
  const VerifyingKeys* trusted = nullptr;  // null: no bundle need be signed
  std::shared_ptr<DeviceHealth> health = nullptr;
};

// Loads the bundle in `bundle` as a model called `name`, in these steps:
//   1. the memory that it needs is compared with what is free
//   2. the bundle is verified, and its graph is opened or built
//   3. graph and bundle must belong together
//   4. the network is loaded and warmed up
//   5. it must reproduce the golden links, if the bundle has any
//   6. a bundle that was trained on the graph of this server moves to it
// RESOURCE_EXHAUSTED with both figures when memory is too small; the errors of
// ModelBundle::Open, OpenServedGraph, LinkPredictor::Create and
// CheckGoldenLinks; FAILED_PRECONDITION when neither the bundle nor the data
// directory holds the graph. Every error names the bundle.
absl::StatusOr<std::shared_ptr<const ServedModel>> LoadModel(
    const ServerOptions& options, const std::string& name,
    const std::filesystem::path& bundle, const ModelSurroundings& surroundings);

// The same for the one bundle of options.bundle, called options.model_name.
absl::StatusOr<std::shared_ptr<const ServedModel>> LoadModel(
    const ServerOptions& options);

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_MODEL_LOADER_H_
