#include "model/link_predictor.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "model/frozen_network.h"

namespace slice {
namespace {

// A made-up link with a context of `tokens` tokens, for warming up.
EncodedLink MadeUpLink(const BundleManifest& manifest, int tokens) {
  ContextSubgraph context;
  for (int i = 0; i < tokens; ++i) {
    ContextToken token;
    token.role = i == 0   ? TokenRole::kSource
                 : i == 1 ? TokenRole::kTarget
                          : TokenRole::kBetween;
    token.node = static_cast<NodeId>(i % manifest.node_count);
    context.tokens.push_back(token);
  }
  EncodedLink link;
  link.contexts = {std::move(context)};
  link.pair_features.assign(manifest.pair_features.size(), 0.0f);
  return link;
}

}  // namespace

absl::StatusOr<std::vector<StructuralLogits>> BatchScorer::ScoreStructural(
    RelationId, std::span<const float>, size_t) const {
  return absl::UnimplementedError("this scorer has no structural part");
}

struct LinkPredictor::State {
  std::shared_ptr<const ModelBundle> bundle;
  std::unique_ptr<FrozenNetwork> network;
};

LinkPredictor::LinkPredictor(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
LinkPredictor::~LinkPredictor() = default;

absl::StatusOr<std::unique_ptr<LinkPredictor>> LinkPredictor::Create(
    std::shared_ptr<const ModelBundle> bundle,
    const LinkPredictorOptions& options) {
  FrozenNetworkOptions frozen;
  frozen.embeddings = bundle->embeddings().data();
  frozen.embedding_rows = static_cast<int64_t>(bundle->embeddings().rows());
  frozen.embedding_dim = bundle->embeddings().dim();
  frozen.device = options.device;
  frozen.reading = bundle->manifest().reading;
  auto state = std::make_unique<State>();
  SLICE_ASSIGN_OR_RETURN(state->network,
                         FrozenNetwork::Load(bundle->model_path(), frozen));
  state->bundle = std::move(bundle);
  return std::unique_ptr<LinkPredictor>(new LinkPredictor(std::move(state)));
}

absl::StatusOr<std::vector<Prediction>> LinkPredictor::Predict(
    const ContextBatch& batch) const {
  return state_->network->Predict(batch);
}

absl::StatusOr<ExplainedBatch> LinkPredictor::Explain(
    const ContextBatch& batch) const {
  return state_->network->Explain(batch);
}

absl::StatusOr<std::vector<StructuralLogits>> LinkPredictor::ScoreStructural(
    RelationId relation, std::span<const float> pair_features,
    size_t feature_count) const {
  return state_->network->ScoreStructural(relation, pair_features,
                                          feature_count);
}

absl::Status LinkPredictor::WarmUp() const {
  const BundleManifest& manifest = state_->bundle->manifest();
  if (manifest.node_count == 0) return absl::OkStatus();
  // Two ends beside max_nodes paths.
  for (int tokens = 2; tokens <= manifest.context.max_nodes + 2; ++tokens) {
    const EncodedLink link = MadeUpLink(manifest, tokens);
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

const ModelBundle& LinkPredictor::bundle() const { return *state_->bundle; }

}  // namespace slice
