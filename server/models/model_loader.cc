#include "server/models/model_loader.h"

#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "common/vector_variants.h"
#include "model/link_predictor.h"
#include "model/manifest_check.h"
#include "model/model_bundle.h"
#include "server/models/served_graph.h"

namespace slice {
namespace {

absl::Status InBundle(const ServerOptions& options,
                      const absl::Status& status) {
  return absl::Status(
      status.code(),
      absl::StrCat("bundle ", options.bundle.string(), ": ", status.message()));
}

absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenGraph(
    const ServerOptions& options, const ModelBundle& bundle,
    const std::filesystem::path& directory) {
  const bool in_bundle = bundle.graph_present();
  auto opened = OpenServedGraph(directory, in_bundle ? bundle.graph_directory()
                                                     : std::filesystem::path());
  if (in_bundle || !absl::IsNotFound(opened.status())) return opened;
  return absl::FailedPreconditionError(absl::StrCat(
      "bundle ", options.bundle.string(), " has no graph/ and data directory ",
      options.data_dir.string(), " holds no graph ",
      bundle.manifest().graph_digest, ": restore the bundle's graph/"));
}

// Logs how the network will be run, with the timings that decided it.
void LogForward(const BatchScorer& scorer) {
  std::string measured;
  for (const ForwardTiming& timing : scorer.timings()) {
    absl::StrAppend(&measured, measured.empty() ? "; fastest runs: " : ", ",
                    std::string(ForwardPathName(timing.path)), " with ",
                    timing.contexts, " contexts in ",
                    absl::FormatDuration(timing.duration));
  }
  LogInfo("forward pass %s, %s instructions%s",
          std::string(ForwardPathName(scorer.path())),
          std::string(VectorSetName(MachineVectorSet())), measured);
}

}  // namespace

absl::StatusOr<LoadedModel> LoadModel(const ServerOptions& options,
                                      std::shared_ptr<DeviceHealth> health) {
  auto bundle = ModelBundle::Open(options.bundle);
  if (!bundle.ok()) return InBundle(options, bundle.status());
  const BundleManifest& manifest = (*bundle)->manifest();

  LoadedModel loaded;
  if (manifest.leaky) {
    LogWarning(
        "LEAKY: bundle %s was trained on held-out links, for comparison with "
        "the published protocol only; do not serve it to anyone",
        manifest.bundle_id);
  }
  loaded.graph_directory = options.data_dir / "graphs" / manifest.graph_digest;
  SLICE_ASSIGN_OR_RETURN(loaded.store,
                         OpenGraph(options, **bundle, loaded.graph_directory));
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata,
                         loaded.store->Metadata());
  auto model = std::make_shared<ServedModel>();
  SLICE_ASSIGN_OR_RETURN(model->snapshot, loaded.store->BuildSnapshot());
  SLICE_RETURN_IF_ERROR(CheckGraph((*bundle)->manifest(), *model->snapshot,
                                   metadata.graph_digest));

  SLICE_ASSIGN_OR_RETURN(model->encoder, (*bundle)->MakeEncoder());
  SLICE_ASSIGN_OR_RETURN(const ForwardPath path,
                         ParseForwardPath(options.forward));
  SLICE_ASSIGN_OR_RETURN(
      auto predictor, LinkPredictor::Create(
                          *bundle, {.device = options.device,
                                    .path = path,
                                    .health = health,
                                    .on_device_loss = options.on_device_loss}));
  LogForward(*predictor);
  SLICE_RETURN_IF_ERROR(predictor->WarmUp());
  model->scorer = std::move(predictor);
  model->name = options.model_name;
  model->device = options.device;
  model->health = std::move(health);
  model->manifest = manifest;
  model->relations = SummarizeRelations(*model->snapshot);
  model->recommender = std::make_unique<const LinkRecommender>(
      *model->snapshot, *model->encoder, *model->scorer,
      manifest.reading.rule_weights, options.RankingThreadCount());
  loaded.model = std::move(model);
  return loaded;
}

}  // namespace slice
