#include "server/models/model_loader.h"

#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/available_memory.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "common/vector_variants.h"
#include "graphstore/same_ids.h"
#include "model/golden_links.h"
#include "model/link_predictor.h"
#include "model/manifest_check.h"
#include "model/model_bundle.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

absl::Status InBundle(const fs::path& bundle, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat("bundle ", bundle.string(),
                                                  ": ", status.message()));
}

// What loading a bundle takes of memory at most, in MiB, about: the embeddings
// once, the statistics (tables by node), the networks (LibTorch's own buffers),
// and the graph as its compressed files times kGraphGrowth, unless it is in
// memory already. Measured: 35 MiB for the paper's Amazon (1.1 MiB of graph, 15
// of statistics, 5 of embeddings) and 298 MiB for a planted graph of a million
// links (12 and 147 MiB), which is 10.5 times the graph and 1.2 times the
// statistics. The factors below leave a quarter more.
double NeededMib(const BundleManifest& manifest, bool graph_is_open) {
  constexpr double kFixedMib = 16, kNetworkGrowth = 4, kStatisticsGrowth = 1.5,
                   kGraphGrowth = 13;
  double bytes = 0;
  for (const BundleMember& member : manifest.members) {
    const auto size = static_cast<double>(member.size);
    if (member.path.starts_with("graph/")) {
      bytes += graph_is_open ? 0 : kGraphGrowth * size;
    } else if (member.path.starts_with("tensors/")) {
      bytes += kStatisticsGrowth * size;
    } else if (member.path.ends_with(".pt")) {
      bytes += kNetworkGrowth * size;
    } else if (!member.path.starts_with("report/")) {
      bytes += size;
    }
  }
  return kFixedMib + bytes / (1 << 20);
}

// Before anything large is read. The manifest is not verified yet, but a wrong
// one can only be refused too early or too late. What is wrong with it,
// ModelBundle::Open tells.
absl::Status CheckMemory(const fs::path& bundle, const ServedGraphs& graphs) {
  const auto json = ReadFile(bundle / "MANIFEST.json");
  if (!json.ok()) return absl::OkStatus();
  const auto manifest = ManifestFromJson(*json);
  if (!manifest.ok()) return absl::OkStatus();
  const double needed =
      NeededMib(*manifest, graphs.IsOpen(manifest->graph_digest));
  const double available = AvailableMemoryMib();
  if (needed <= available) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrFormat(
      "it needs about %.0f MiB of memory, and %.0f MiB are free; unload a "
      "model, or give the server more memory",
      needed, available));
}

absl::StatusOr<std::shared_ptr<const ServedGraph>> OpenGraph(
    const ServerOptions& options, const ModelBundle& bundle,
    ServedGraphs& graphs) {
  const bool in_bundle = bundle.graph_present();
  const std::string& digest = bundle.manifest().graph_digest;
  auto opened = graphs.Open(options.data_dir, digest,
                            in_bundle ? bundle.graph_directory() : fs::path());
  if (in_bundle || !absl::IsNotFound(opened.status())) return opened;
  return absl::FailedPreconditionError(absl::StrCat(
      "it has no graph/ and data directory ", options.data_dir.string(),
      " holds no graph ", digest, ": restore the bundle's graph/"));
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

// FAILED_PRECONDITION unless each node, type and relation of `trained` has the
// same id in `live`.
absl::Status CheckSameIds(const GraphSnapshot& trained,
                          const GraphSnapshot& live) {
  const std::string other = OtherIds(trained, live);
  if (other.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the graph that the bundle was trained on has other ", other,
                   " now; train the bundle again from its store"));
}

absl::Status CheckGolden(const ModelBundle& bundle, ServedModel& model) {
  const GoldenLinks& golden = bundle.golden_links();
  model.golden_links = golden.links.size();
  if (golden.links.empty()) {
    LogWarning(
        "bundle %s has no golden links, so nothing shows that this program "
        "computes what its trainer did; train it again to have them",
        model.manifest.bundle_id);
  }
  SLICE_ASSIGN_OR_RETURN(
      model.golden_difference,
      CheckGoldenLinks(golden, *model.snapshot, *model.encoder, *model.scorer,
                       GoldenTolerance(model.scorer->path())));
  return absl::OkStatus();
}

// Serves the model on the graph that it was trained of, if this server has it:
// with its changes since then. So far the model was checked on the graph of its
// bundle, which lacks the held-out links too. That graph stays on disk only if
// it `was_stored` before.
absl::Status MoveToLiveGraph(const ServerOptions& options,
                             const ModelSurroundings& surroundings,
                             bool was_stored, ServedModel* model) {
  const auto& origin = model->manifest.live_graph;
  if (!origin.has_value()) return absl::OkStatus();
  auto live = surroundings.graphs->Open(options.data_dir, origin->graph_digest,
                                        fs::path());
  if (absl::IsNotFound(live.status()) && !options.feed.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "bundle ", model->manifest.bundle_id, " was trained on version ",
        origin->graph_version, " of the graph ", origin->graph_digest,
        ", which ", options.data_dir.string(),
        " does not hold, so it cannot follow the feed: begin with a checkpoint "
        "of another replica (slice-graph restore)"));
  }
  if (absl::IsNotFound(live.status())) {
    LogWarning(
        "bundle %s was trained on the graph %s, which %s does not hold; it is "
        "served on the links that it was trained on",
        model->manifest.bundle_id, origin->graph_digest,
        options.data_dir.string());
    return absl::OkStatus();
  }
  SLICE_RETURN_IF_ERROR(live.status());
  const auto now = (*live)->live->Current();
  if (now->graph_version() < origin->graph_version) {
    return absl::FailedPreconditionError(absl::StrCat(
        "it was trained on version ", origin->graph_version, " of the graph ",
        origin->graph_digest, ", which is at version ", now->graph_version(),
        " in ", options.data_dir.string(),
        ": serve an older bundle, or restore a newer copy of the graph"));
  }
  SLICE_RETURN_IF_ERROR(CheckSameIds(*model->snapshot, *now));
  // A server that gets a new bundle every night would keep a store for each.
  if (!was_stored && model->graph != *live) model->graph->RemoveWhenClosed();
  model->graph = *std::move(live);
  model->base_graph_version = origin->graph_version;
  return absl::OkStatus();
}

absl::Status Fill(const ServerOptions& options,
                  const std::shared_ptr<const ModelBundle>& bundle,
                  const ModelSurroundings& surroundings, ServedModel* model) {
  const BundleManifest& manifest = bundle->manifest();
  std::error_code error;
  const bool was_stored =
      fs::exists(options.data_dir / "graphs" / manifest.graph_digest, error);
  SLICE_ASSIGN_OR_RETURN(model->graph,
                         OpenGraph(options, *bundle, *surroundings.graphs));
  SLICE_ASSIGN_OR_RETURN(model->snapshot, model->graph->Base());
  model->base_graph_version = model->snapshot->graph_version();
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata,
                         model->graph->store->Metadata());
  SLICE_RETURN_IF_ERROR(
      CheckGraph(manifest, *model->snapshot, metadata.graph_digest));
  model->schema = model->snapshot->shared_schema();
  model->unknown_nodes = std::make_unique<const UnknownNodes>(
      bundle->node_embeddings(), *model->snapshot);
  SLICE_ASSIGN_OR_RETURN(
      model->encoder,
      bundle->MakeEncoder(model->unknown_nodes.get(), model->schema.get()));
  model->evidence = EvidenceTables::Of(*model->encoder, *model->snapshot);
  SLICE_ASSIGN_OR_RETURN(const ForwardPath path,
                         ParseForwardPath(options.forward));
  SLICE_ASSIGN_OR_RETURN(
      auto predictor, LinkPredictor::Create(
                          bundle, {.device = options.device,
                                   .path = path,
                                   .health = surroundings.health,
                                   .on_device_loss = options.on_device_loss}));
  LogForward(*predictor);
  SLICE_RETURN_IF_ERROR(predictor->WarmUp());
  model->scorer = std::move(predictor);
  model->device = options.device;
  model->health = surroundings.health;
  model->manifest = manifest;
  model->recommender = std::make_unique<const LinkRecommender>(
      *model->snapshot, *model->encoder, *model->scorer,
      manifest.reading.rule_weights, options.RankingThreadCount());
  SLICE_RETURN_IF_ERROR(CheckGolden(*bundle, *model));
  SLICE_RETURN_IF_ERROR(
      MoveToLiveGraph(options, surroundings, was_stored, model));
  SLICE_RETURN_IF_ERROR(surroundings.graphs->FollowFeed(*model->graph));
  // From here on the present version is enough.
  model->recommender->Follow(model->graph->live->Current());
  model->snapshot = nullptr;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ServedModel>> LoadModel(
    const ServerOptions& options, const std::string& name,
    const fs::path& directory, const ModelSurroundings& surroundings) {
  auto model = std::make_shared<ServedModel>();
  model->name = name;
  std::error_code error;
  model->directory = fs::canonical(directory, error);
  if (error) model->directory = directory;
  SLICE_RETURN_IF_ERROR(
      InBundle(directory, CheckMemory(model->directory, *surroundings.graphs)));
  auto bundle = ModelBundle::Open(model->directory, surroundings.trusted);
  if (!bundle.ok()) return InBundle(directory, bundle.status());
  if ((*bundle)->manifest().leaky) {
    LogWarning(
        "LEAKY: bundle %s was trained on held-out links, for comparison with "
        "the published protocol only; do not serve it to anyone",
        (*bundle)->manifest().bundle_id);
  }
  SLICE_RETURN_IF_ERROR(
      InBundle(directory, Fill(options, *bundle, surroundings, model.get())));
  model->report =
      ReadFile(model->directory / "report" / "report.html").value_or("");
  model->loaded = absl::Now();
  return model;
}

absl::StatusOr<std::shared_ptr<const ServedModel>> LoadModel(
    const ServerOptions& options) {
  ServedGraphs graphs;
  return LoadModel(options, options.model_name, options.bundle,
                   {.graphs = &graphs});
}

}  // namespace slice
