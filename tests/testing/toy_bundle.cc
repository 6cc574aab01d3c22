#include "tests/testing/toy_bundle.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <system_error>

#include "common/random.h"
#include "common/sha256.h"
#include "common/status_macros.h"
#include "context/pair_features.h"
#include "graphstore/rocksdb_graph_store.h"
#include "model/golden_links_staging.h"
#include "model/model_bundle.h"
#include "model/native_network.h"
#include "model/torch/network.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSeed = 5;
constexpr int kEmbeddingDim = 8;

PairFeatures FeaturesOf(const GraphCatalogue& catalogue) {
  return PairFeatures(catalogue.relations.size(), catalogue.node_types.size());
}

// Adds noise to every parameter: parameters that begin at zero hide mistakes.
void Shake(torch::jit::Module& network) {
  const at::NoGradGuard no_grad;
  for (const auto& parameter : network.named_parameters()) {
    at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(
        CombineHash(kSeed, HashBytes(parameter.name)));
    parameter.value.add_(
        at::empty(parameter.value.sizes()).normal_(0.0, 0.2, generator));
    // Keeps the dot product as small as the one of a trained network.
    if (parameter.name == "head_weight") parameter.value.mul_(0.05);
  }
}

absl::Status StageGraph(const GraphData& data, const fs::path& staging) {
  const TempDirectory scratch;
  RocksDbGraphStoreOptions options;
  options.directory = scratch / "graph";
  SLICE_ASSIGN_OR_RETURN(const auto store, RocksDbGraphStore::Open(options));
  SLICE_RETURN_IF_ERROR(store->BulkLoad(data, "toy"));
  return store->ExportSsts(staging / "graph");
}

absl::Status StageTensors(const GraphData& data, const fs::path& staging) {
  Random random(kSeed);
  std::vector<float> embeddings(data.catalogue.nodes.size() * kEmbeddingDim);
  for (float& value : embeddings) {
    value = static_cast<float>(2 * random.Uniform() - 1);
  }
  SLICE_RETURN_IF_ERROR(
      EmbeddingTable::Save(staging / "embeddings.bin", embeddings,
                           data.catalogue.nodes.size(), kEmbeddingDim));
  const size_t width = FeaturesOf(data.catalogue).names().size();
  std::vector<float> rows(50 * width);
  for (float& value : rows) value = static_cast<float>(random.Uniform());
  GraphStatistics statistics;
  FeatureScaling::Fit(rows, width).AddTo(statistics);
  return statistics.Save(staging / "tensors/statistics.bin");
}

BundleManifest ManifestFor(const GraphData& data,
                           const NetworkOptions& network) {
  BundleManifest manifest = ManifestOf(data.catalogue, network);
  manifest.preset = network.head == ScoreHead::kDot ? "paper" : "default";
  manifest.seed = kSeed;
  if (network.pair_features > 0) {
    manifest.pair_features = FeaturesOf(data.catalogue).names();
  }
  manifest.graph_digest = GraphDigest(data);
  manifest.split_digest = Sha256Bytes("toy");
  manifest.reading.calibrations = {Calibration{1.5, 0.5}, {1.25, 0.5}};
  manifest.metrics = {{"test.auroc", 0.5}};
  return manifest;
}

}  // namespace

NetworkOptions ToyNetworkOptions(std::string_view preset) {
  const GraphCatalogue catalogue = ToyGraph().catalogue;
  NetworkOptions options = *NetworkPreset(preset);
  options.embedding_dim = kEmbeddingDim;
  options.relation_count = static_cast<int>(catalogue.relations.size());
  options.pair_features =
      options.head == ScoreHead::kDot
          ? 0
          : static_cast<int>(FeaturesOf(catalogue).names().size());
  return options;
}

absl::Status WriteBundleFor(const GraphData& data,
                            const NetworkOptions& network_options,
                            const fs::path& directory, bool golden,
                            std::optional<LiveGraphOrigin> live_graph) {
  const fs::path staging = directory.string() + ".staging";
  std::error_code error;
  fs::create_directories(staging / "tensors", error);
  if (error) return absl::InternalError(error.message());
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module network,
                         BuildNetwork(network_options, kSeed));
  Shake(network);
  SLICE_RETURN_IF_ERROR(SaveNetwork(network, staging / "model.pt"));
  SLICE_RETURN_IF_ERROR(StageTensors(data, staging));
  SLICE_RETURN_IF_ERROR(StageGraph(data, staging));
  BundleManifest manifest = ManifestFor(data, network_options);
  manifest.live_graph = std::move(live_graph);
  if (golden) {
    SLICE_ASSIGN_OR_RETURN(const auto snapshot, GraphSnapshot::Build(data));
    SLICE_RETURN_IF_ERROR(StageGoldenLinks(staging, manifest, *snapshot));
  }
  SLICE_RETURN_IF_ERROR(AddNativeNetwork(staging).status());
  return PublishBundle(staging, directory, manifest);
}

absl::Status WriteToyBundle(const fs::path& directory,
                            std::string_view preset) {
  return WriteBundleFor(ToyGraph(), ToyNetworkOptions(preset), directory);
}

}  // namespace slice
