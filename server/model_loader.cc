#include "server/model_loader.h"

#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "common/vector_variants.h"
#include "model/link_predictor.h"
#include "model/model_bundle.h"

namespace slice {
namespace {

// What RocksDB writes beside the graph: its logs and manifests.
constexpr uint64_t kSpareBytes = 1 << 20;

uint64_t FileBytes(const std::filesystem::path& directory) {
  std::error_code error;
  uint64_t bytes = 0;
  for (std::filesystem::directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code not_a_file;
    const uint64_t size = entry->file_size(not_a_file);
    if (!not_a_file) bytes += size;
  }
  return bytes;
}

// Asked before RocksDB starts to write: it ends the process when the disk fills
// up under a file it is making.
absl::Status CheckFreeSpace(const std::filesystem::path& directory,
                            uint64_t needed) {
  std::error_code error;
  const std::filesystem::space_info space =
      std::filesystem::space(directory, error);
  if (error || space.available >= needed) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("disk full: ", directory.string(), " has ", space.available,
                   " bytes free, opening the graph needs ", needed));
}

absl::Status InBundle(const ServerOptions& options,
                      const absl::Status& status) {
  return absl::Status(
      status.code(),
      absl::StrCat("bundle ", options.bundle.string(), ": ", status.message()));
}

absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenGraph(
    const ServerOptions& options, const ModelBundle& bundle,
    const std::filesystem::path& directory) {
  RocksDbGraphStoreOptions store;
  store.directory = directory;
  std::error_code ignored;
  const bool filled = std::filesystem::exists(directory / "CURRENT", ignored);
  if (filled) {
    SLICE_RETURN_IF_ERROR(CheckFreeSpace(directory, kSpareBytes));
  }
  if (bundle.graph_present()) {
    SLICE_RETURN_IF_ERROR(CreateDirectories(directory.parent_path()));
    if (!filled) {
      SLICE_RETURN_IF_ERROR(
          CheckFreeSpace(directory.parent_path(),
                         FileBytes(bundle.graph_directory()) + kSpareBytes));
    }
    return RocksDbGraphStore::OpenOrIngest(store, bundle.graph_directory());
  }
  store.create_if_missing = false;
  auto opened = RocksDbGraphStore::Open(store);
  if (!absl::IsNotFound(opened.status())) return opened;
  return absl::FailedPreconditionError(absl::StrCat(
      "bundle ", options.bundle.string(), " has no graph/ and data directory ",
      options.data_dir.string(), " holds no graph ",
      bundle.manifest().graph_digest, ": restore the bundle's graph/"));
}

// Says how the network will be run, and why so.
void LogForward(const BatchScorer& scorer) {
  std::string measured;
  for (const ForwardTiming& timing : scorer.timings()) {
    absl::StrAppend(&measured, measured.empty() ? "; fastest runs: " : ", ",
                    std::string(ForwardPathName(timing.path)), " of ",
                    timing.contexts, " in ",
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
  SLICE_RETURN_IF_ERROR(
      (*bundle)->CheckGraph(*model->snapshot, metadata.graph_digest));

  SLICE_ASSIGN_OR_RETURN(model->encoder, (*bundle)->MakeEncoder());
  SLICE_ASSIGN_OR_RETURN(const ForwardPath path,
                         ParseForwardPath(options.forward));
  SLICE_ASSIGN_OR_RETURN(
      auto predictor,
      LinkPredictor::Create(*bundle,
                            {.device = options.device,
                             .path = path,
                             .health = health,
                             .falls_to_cpu = options.on_device_loss == "cpu"}));
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
