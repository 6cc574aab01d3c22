// Publishes the bundle, in these steps:
//   1. its members are gathered in <out>.staging: the graph as files of a
//      RocksDB store, the network, the embeddings, the statistics, links that
//      the network has scored, and the network as our own kernels read it;
//   2. the manifest gets the digests of the members, and the report gets the id
//      of the bundle;
//   3. one rename makes the folder the bundle at <out>.
// What earlier steps left in the work directory stays as it is.
#include "trainer/fit/publishing_step.h"

#include <nlohmann/json.hpp>
#include <system_error>

#include "common/files.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "graphstore/rocksdb_graph_store.h"
#include "model/golden_links_staging.h"
#include "model/model_bundle.h"
#include "model/native_network.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/warm_start.h"
#include "trainer/report/report_files.h"
#include "trainer/report/report_json.h"

namespace slice {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

absl::Status Copy(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  return error ? FileError("copy to", to, error.value()) : absl::OkStatus();
}

}  // namespace

absl::StatusOr<StepFingerprint> PublishingStep::Fingerprint() const {
  return MakeStepFingerprint(kName,
                             {{"the step evaluate", evaluated_.fingerprint}});
}

absl::StatusOr<Json> PublishingStep::Run() const {
  const FitOptions& options = model_.inputs.options;
  const fs::path staging = options.out.string() + ".staging";
  std::error_code error;
  fs::remove_all(staging, error);
  SLICE_RETURN_IF_ERROR(CreateDirectories(staging / "tensors"));
  SLICE_RETURN_IF_ERROR(StageGraph(staging));
  SLICE_RETURN_IF_ERROR(
      Copy(model_.fine_tuned.network_file, staging / "model.pt"));
  if (const fs::path& ranking = model_.ranking.network_file; !ranking.empty()) {
    SLICE_RETURN_IF_ERROR(Copy(ranking, staging / "ranking.pt"));
  }
  SLICE_RETURN_IF_ERROR(
      Copy(model_.inputs.embeddings.file, staging / "embeddings.bin"));
  SLICE_RETURN_IF_ERROR(Copy(model_.structural.statistics_file,
                             staging / "tensors/statistics.bin"));
  SLICE_RETURN_IF_ERROR(StageGoldenLinks(staging, MakeManifest(),
                                         model_.inputs.training.graph()));
  SLICE_ASSIGN_OR_RETURN(const bool native, AddNativeNetwork(staging));
  if (!native) LogInfo("this network runs only as TorchScript");
  SLICE_ASSIGN_OR_RETURN(const BundleManifest manifest,
                         DescribeBundle(staging, MakeManifest()));
  SLICE_RETURN_IF_ERROR(StageReport(staging, manifest.bundle_id));
  SLICE_RETURN_IF_ERROR(PublishBundle(staging, options.out, manifest));
  fs::remove_all(options.WorkFile("graph"), error);
  return Json{{"bundle", options.out.string()}};
}

absl::Status PublishingStep::StageGraph(const fs::path& staging) const {
  const ImportedGraph& imported = model_.inputs.training.imported;
  RocksDbGraphStoreOptions store_options;
  store_options.directory = model_.inputs.options.WorkFile("graph");
  std::error_code error;
  fs::remove_all(store_options.directory, error);
  SLICE_ASSIGN_OR_RETURN(const auto store,
                         RocksDbGraphStore::Open(store_options));
  SLICE_RETURN_IF_ERROR(store->BulkLoad(imported.data, imported.split_digest));
  SLICE_RETURN_IF_ERROR(store->ExportSsts(staging / "graph"));
  return absl::OkStatus();
}

// The report of the evaluation with the id of its bundle and the times of all
// steps so far.
absl::Status PublishingStep::StageReport(const fs::path& staging,
                                         const std::string& bundle_id) const {
  SLICE_ASSIGN_OR_RETURN(const std::string measured,
                         ReadFile(evaluated_.report_json));
  SLICE_ASSIGN_OR_RETURN(TrainingReport report, ReportFromJson(measured));
  report.bundle_id = bundle_id;
  report.steps = finished_;
  return WriteReportFiles(staging / "report", report);
}

BundleManifest PublishingStep::MakeManifest() const {
  const FitOptions& options = model_.inputs.options;
  const ImportedTraining& training = model_.inputs.training;
  const NetworkOptions& network = training.network;
  BundleManifest manifest = ManifestOf(training.graph().Catalogue(), network);
  manifest.preset = options.preset;
  manifest.seed = options.seed;
  manifest.embedding_dim = model_.inputs.embeddings.dim;
  manifest.attributes = training.attributes.columns;
  if (network.pair_features > 0) {
    manifest.pair_features = model_.inputs.PairFeatureNames();
  }
  manifest.graph_digest = training.graph_digest;
  manifest.split_digest = training.imported.split_digest;
  if (options.store_graph) manifest.live_graph = options.store_graph->origin;
  manifest.folds = {options.folds, training.fold_seed};
  if (training.warm != nullptr)
    manifest.warm_start = training.warm->manifest().bundle_id;
  manifest.own_pair_links = options.recorded_own_pair_links();
  manifest.leaky = options.leaky;
  manifest.context = training.context;
  manifest.contexts_per_link = options.contexts_per_link;
  manifest.reading = evaluated_.reading;
  manifest.scorer_reason = evaluated_.scorer_reason;
  manifest.metrics = evaluated_.metrics;
  return manifest;
}

absl::StatusOr<PublishedBundle> PublishingStep::Load(const Json&) const {
  PublishedBundle bundle;
  bundle.directory = model_.inputs.options.out;
  return bundle;
}

bool HasBundle(const fs::path& directory) {
  std::error_code error;
  return fs::exists(directory / "MANIFEST.json", error);
}

}  // namespace slice
