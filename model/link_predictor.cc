#include "model/link_predictor.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "model/made_up_links.h"
#include "model/native_network.h"

namespace slice {

namespace {

// Our kernels trust the sizes of a network, so a network of other sizes than
// the manifest's must not be run.
absl::StatusOr<NativeNetwork> LoadNative(const ModelBundle& bundle,
                                         const std::filesystem::path& path) {
  SLICE_ASSIGN_OR_RETURN(NativeNetwork native, NativeNetwork::Load(path));
  const BundleManifest& manifest = bundle.manifest();
  const NetworkOptions& options = native.options;
  if (options.embedding_dim == manifest.embedding_dim &&
      static_cast<size_t>(options.relation_count) ==
          manifest.relations.size() &&
      static_cast<size_t>(options.pair_features) ==
          manifest.pair_features.size()) {
    return native;
  }
  return absl::DataLossError(absl::StrCat(
      path.string(), " is a network for another graph: embeddings of ",
      options.embedding_dim, " numbers, ", options.relation_count,
      " relations and ", options.pair_features,
      " pair features; the manifest says ", manifest.embedding_dim, ", ",
      manifest.relations.size(), " and ", manifest.pair_features.size()));
}

absl::StatusOr<std::unique_ptr<FrozenNetwork>> LoadNetwork(
    const ModelBundle& bundle, const BundleNetwork& files,
    const ForwardOptions& options) {
  const EmbeddingTable& table = bundle.embeddings();
  FrozenNetworkOptions frozen;
  frozen.embeddings = {table.data(), static_cast<int64_t>(table.rows()),
                       table.dim()};
  frozen.forward = options;
  frozen.reading = bundle.manifest().reading;
  NativeNetwork native;
  if (files.native) {
    SLICE_ASSIGN_OR_RETURN(native, LoadNative(bundle, *files.native));
    frozen.native = &native;
  }
  return FrozenNetwork::Load(files.script, frozen);
}

}  // namespace

LinkPredictor::LinkPredictor(std::shared_ptr<const ModelBundle> bundle,
                             std::unique_ptr<const FrozenNetwork> network)
    : bundle_(std::move(bundle)), network_(std::move(network)) {}

absl::StatusOr<std::unique_ptr<LinkPredictor>> LinkPredictor::Create(
    std::shared_ptr<const ModelBundle> bundle, const ForwardOptions& options) {
  SLICE_ASSIGN_OR_RETURN(std::unique_ptr<FrozenNetwork> network,
                         LoadNetwork(*bundle, bundle->network(), options));
  if (const auto& files = bundle->ranking_network()) {
    SLICE_ASSIGN_OR_RETURN(std::unique_ptr<FrozenNetwork> ranking,
                           LoadNetwork(*bundle, *files, options));
    network->RankBy(std::move(ranking));
  }
  return std::unique_ptr<LinkPredictor>(
      new LinkPredictor(std::move(bundle), std::move(network)));
}

absl::StatusOr<std::vector<Prediction>> LinkPredictor::Predict(
    const ContextBatch& batch) const {
  return network_->Predict(batch);
}

absl::StatusOr<ExplainedBatch> LinkPredictor::Explain(
    const ContextBatch& batch) const {
  return network_->Explain(batch);
}

absl::StatusOr<std::vector<StructuralLogits>> LinkPredictor::ScoreStructural(
    RelationId relation, std::span<const float> pair_features,
    size_t feature_count) const {
  return network_->ScoreStructural(relation, pair_features, feature_count);
}

absl::StatusOr<std::vector<float>> LinkPredictor::ScoreForRanking(
    RelationId relation, std::span<const float> pair_features,
    size_t feature_count) const {
  return network_->ScoreForRanking(relation, pair_features, feature_count);
}

absl::Status LinkPredictor::WarmUp() const {
  const BundleManifest& manifest = bundle_->manifest();
  if (manifest.node_count == 0) return absl::OkStatus();
  const MadeUpBounds bounds = {manifest.node_count, manifest.relations.size(),
                               manifest.pair_features.size()};
  // The longest contexts have two ends and max_nodes path tokens.
  for (int tokens = 2; tokens <= manifest.context.max_nodes + 2; ++tokens) {
    const EncodedLink link =
        MadeUpLink(bounds, static_cast<size_t>(tokens), /*seed=*/1);
    const EncodedLink* links[] = {&link, &link};
    const ContextBatch batch = ContextBatch::Assemble(links);
    if (auto predicted = Predict(batch); !predicted.ok()) {
      return predicted.status();
    }
    if (auto explained = Explain(batch); !explained.ok()) {
      return explained.status();
    }
  }
  return absl::OkStatus();
}

ForwardPath LinkPredictor::path() const { return network_->path(); }

std::vector<ForwardTiming> LinkPredictor::timings() const {
  return network_->timings();
}

}  // namespace slice
