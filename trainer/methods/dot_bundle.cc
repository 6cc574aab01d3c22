// Publishing a bundle takes four steps in a staging folder beside `directory`:
// the graph as SST files, the network, the vectors as the embedding table, and
// empty statistics. DescribeBundle() then adds the digests to the manifest.
// PublishBundle() syncs the folder and renames it, so that no reader ever sees
// half a bundle.
//
// The network is the ordinary one of model/torch/network.h without layers and
// without pair features. Only the embedding weights and the role embeddings are
// not zero; they make the logit the dot product of the two vectors minus the
// offset.
#include "trainer/methods/dot_bundle.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/eye.h>

#include <system_error>

#include "common/files.h"
#include "common/status_macros.h"
#include "context/context_subgraph.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/rocksdb_graph_store.h"
#include "model/golden_links_staging.h"
#include "model/model_bundle.h"
#include "model/native_network.h"
#include "model/torch/network.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

constexpr int kEndsAlone = 2;  // nodes of a context: the two ends

NetworkOptions DotNetwork(const DotBundle& bundle) {
  NetworkOptions options;
  options.relation_count = static_cast<int>(bundle.snapshot->relation_count());
  options.embedding_dim = static_cast<int>(bundle.embeddings.dim);
  options.hidden_dim = options.embedding_dim + 1;
  options.layers = 0;
  options.pre_norm = false;
  options.head = ScoreHead::kDot;
  options.projection = Projection::kNone;
  options.pair_features = 0;
  return options;
}

// All parameters are zero but two. The embedding weights are the identity,
// which copies the vectors into the tokens. The role embeddings set the last
// number of a token: 1 for the source and -offset for the target. The product
// of the two is -offset, which the dot product adds to the score.
absl::Status SaveDotNetwork(const NetworkOptions& options, double offset,
                            const fs::path& path) {
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module network,
                         BuildNetwork(options, /*seed=*/0));
  {
    const at::NoGradGuard no_grad;
    for (const auto& parameter : network.named_parameters()) {
      parameter.value.zero_();
      if (parameter.name == "embed_weight") {
        parameter.value.copy_(
            at::eye(options.hidden_dim, options.embedding_dim));
      }
      if (parameter.name == "role_embedding") {
        const int last = options.embedding_dim;
        parameter.value[static_cast<int>(TokenRole::kSource)][last] = 1;
        parameter.value[static_cast<int>(TokenRole::kTarget)][last] = -offset;
      }
    }
  }
  return SaveNetwork(network, path);
}

absl::Status StageGraph(const DotBundle& bundle, const fs::path& staging) {
  RocksDbGraphStoreOptions options;
  options.directory = staging / "store";
  SLICE_ASSIGN_OR_RETURN(auto store, RocksDbGraphStore::Open(options));
  SLICE_RETURN_IF_ERROR(
      store->BulkLoad(bundle.imported->data, bundle.imported->split_digest));
  SLICE_RETURN_IF_ERROR(store->ExportSsts(staging / "graph"));
  store.reset();
  std::error_code error;
  fs::remove_all(options.directory, error);
  return error ? FileError("remove", options.directory, error.value())
               : absl::OkStatus();
}

BundleManifest MakeManifest(const DotBundle& bundle,
                            const NetworkOptions& network) {
  BundleManifest manifest = ManifestOf(bundle.snapshot->Catalogue(), network);
  manifest.preset = bundle.method;
  manifest.seed = bundle.seed;
  manifest.graph_digest = GraphDigest(bundle.imported->data);
  manifest.split_digest = bundle.imported->split_digest;
  // The context holds the two ends alone: the score needs nothing between them.
  manifest.context.strategy = ContextStrategy::kShortestPaths;
  manifest.context.max_nodes = kEndsAlone;
  manifest.reading.scorer = Scorer::kContext;
  manifest.reading.calibrations = bundle.calibrations;
  manifest.metrics = bundle.metrics;
  return manifest;
}

}  // namespace

absl::Status PublishDotBundle(const DotBundle& bundle,
                              const fs::path& directory) {
  const NetworkOptions network = DotNetwork(bundle);
  SLICE_RETURN_IF_ERROR(network.Validate());
  const fs::path staging = directory.string() + ".staging";
  std::error_code error;
  fs::remove_all(staging, error);
  SLICE_RETURN_IF_ERROR(CreateDirectories(staging / "tensors"));
  SLICE_RETURN_IF_ERROR(StageGraph(bundle, staging));
  SLICE_RETURN_IF_ERROR(
      SaveDotNetwork(network, bundle.offset, staging / "model.pt"));
  SLICE_RETURN_IF_ERROR(EmbeddingTable::Save(
      staging / "embeddings.bin", bundle.embeddings.values,
      bundle.snapshot->node_count(), network.embedding_dim));
  SLICE_RETURN_IF_ERROR(
      GraphStatistics().Save(staging / "tensors/statistics.bin"));
  SLICE_RETURN_IF_ERROR(StageGoldenLinks(staging, MakeManifest(bundle, network),
                                         *bundle.snapshot));
  SLICE_RETURN_IF_ERROR(AddNativeNetwork(staging).status());
  SLICE_ASSIGN_OR_RETURN(
      const BundleManifest manifest,
      DescribeBundle(staging, MakeManifest(bundle, network)));
  return PublishBundle(staging, directory, manifest);
}

}  // namespace slice
