#include "tests/testing/fake_scorer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "common/random.h"
#include "context/pair_features.h"

namespace slice {
namespace {

// The link of a row: its first two tokens are the ends.
Link LinkOfRow(const ContextBatch& batch, int64_t row) {
  const int64_t first = row * batch.tokens;
  return {static_cast<NodeId>(batch.nodes[first]),
          static_cast<RelationId>(batch.relation[row]),
          static_cast<NodeId>(batch.nodes[first + 1])};
}

std::vector<Link> LinksOf(const ContextBatch& batch) {
  std::vector<Link> links(batch.links);
  for (int64_t row = 0; row < batch.rows; ++row) {
    links[batch.row_link[row]] = LinkOfRow(batch, row);
  }
  return links;
}

}  // namespace

Prediction FakePrediction(const Link& link, float bias) {
  const uint64_t hash =
      CombineHash(CombineHash(link.source, link.relation), link.target);
  Prediction prediction;
  prediction.logits[static_cast<int>(Scorer::kStructural)] = {bias, bias / 2};
  const float context = static_cast<float>(hash % 1000) / 250 - 2;
  prediction.logits[static_cast<int>(Scorer::kContext)] = {bias + context,
                                                           bias / 2 - context};
  prediction.Read(OutputReading());
  return prediction;
}

Prediction FakeContextPrediction(const Link& link, float bias, size_t position,
                                 size_t count) {
  Prediction prediction = FakePrediction(link, bias);
  auto& logits = prediction.logits[static_cast<int>(Scorer::kContext)];
  logits[0] += 0.5f * static_cast<float>(position) -
               0.25f * static_cast<float>(count - 1);
  prediction.Read(OutputReading());
  return prediction;
}

absl::Status FakeScorer::Enter(const ContextBatch& batch, bool explain) const {
  MutexLock lock(&mutex_);
  batch_sizes_.push_back(batch.links);
  for (const Link& link : LinksOf(batch)) links_.insert(link);
  if (explain) ++explain_calls_;
  ++held_calls_;
  changed_.SignalAll();
  while (held_) changed_.Wait(&mutex_);
  --held_calls_;
  return failure_;
}

absl::StatusOr<std::vector<Prediction>> FakeScorer::Predict(
    const ContextBatch& batch) const {
  const absl::Status entered = Enter(batch, false);
  if (!entered.ok()) return entered;
  std::vector<Prediction> predictions;
  for (const Link& link : LinksOf(batch)) {
    predictions.push_back(FakePrediction(link, bias_));
  }
  return predictions;
}

absl::StatusOr<ExplainedBatch> FakeScorer::Explain(
    const ContextBatch& batch) const {
  const absl::Status entered = Enter(batch, true);
  if (!entered.ok()) return entered;
  ExplainedBatch explained;
  for (const Link& link : LinksOf(batch)) {
    explained.predictions.push_back(FakePrediction(link, bias_));
  }
  for (int64_t row = 0; row < batch.rows; ++row) {
    if (row > 0 && batch.row_link[row] == batch.row_link[row - 1]) continue;
    const auto first =
        batch.pair_features.begin() + row * batch.pair_features_dim;
    std::vector<float>& contributions = explained.contributions.emplace_back(
        first, first + batch.pair_features_dim);
    for (float& contribution : contributions) contribution *= -2;
  }
  const std::vector<int64_t>& links = batch.row_link;
  for (size_t row = 0; row < links.size(); ++row) {
    const auto [first, last] =
        std::equal_range(links.begin(), links.end(), links[row]);
    explained.context_predictions.push_back(FakeContextPrediction(
        LinkOfRow(batch, static_cast<int64_t>(row)), bias_,
        row - static_cast<size_t>(first - links.begin()),
        static_cast<size_t>(last - first)));
  }
  for (int64_t tokens : batch.row_tokens) {
    SemanticAssociationMatrix attention;
    attention.layers = 1;
    attention.heads = 2;
    attention.tokens = static_cast<int>(tokens);
    attention.weights.assign(2 * tokens * tokens,
                             1.0f / static_cast<float>(tokens));
    explained.attention.push_back(std::move(attention));
  }
  return explained;
}

void FakeScorer::Hold() {
  MutexLock lock(&mutex_);
  held_ = true;
}

void FakeScorer::Release() {
  MutexLock lock(&mutex_);
  held_ = false;
  changed_.SignalAll();
}

void FakeScorer::WaitForHeldCalls(int count) const {
  MutexLock lock(&mutex_);
  while (held_calls_ < count) changed_.Wait(&mutex_);
}

void FakeScorer::FailWith(absl::Status status) {
  MutexLock lock(&mutex_);
  failure_ = std::move(status);
}

std::vector<int64_t> FakeScorer::batch_sizes() const {
  MutexLock lock(&mutex_);
  return batch_sizes_;
}

std::multiset<Link> FakeScorer::links() const {
  MutexLock lock(&mutex_);
  return links_;
}

int FakeScorer::explain_calls() const {
  MutexLock lock(&mutex_);
  return explain_calls_;
}

FakeModel MakeFakeModel(std::shared_ptr<const GraphSnapshot> snapshot,
                        const std::string& name, float bias,
                        ContextStrategy strategy, int contexts_per_link) {
  auto model = std::make_shared<ServedModel>();
  model->name = name;
  model->device = "cpu";
  BundleManifest& manifest = model->manifest;
  manifest.bundle_id = "bundle-" + name;
  manifest.preset = "fake";
  manifest.seed = 7;
  manifest.node_count = snapshot->node_count();
  manifest.relations = snapshot->relations();
  manifest.node_types = snapshot->node_types();
  manifest.metrics["test.auroc"] = 0.5;
  manifest.context.strategy = strategy;
  manifest.contexts_per_link = contexts_per_link;

  LinkEncoderOptions options;
  options.context = manifest.context;
  options.seed = manifest.seed;
  options.contexts_per_link = contexts_per_link;
  const PairFeatures features(snapshot->relation_count(),
                              snapshot->node_type_count());
  manifest.pair_features = features.names();
  const std::vector<float> zeros(features.names().size(), 0);
  EncoderTables tables;
  tables.scaling = FeatureScaling::Fit(zeros, zeros.size());
  model->encoder = std::make_unique<LinkEncoder>(
      options, snapshot->relation_count(), snapshot->node_type_count(),
      std::move(tables));
  model->evidence = EvidenceTables::Of(*model->encoder, *snapshot);
  model->snapshot = std::move(snapshot);
  auto scorer = std::make_unique<FakeScorer>(bias);
  FakeModel fake;
  fake.scorer = scorer.get();
  model->scorer = std::move(scorer);
  fake.served = std::move(model);
  return fake;
}

}  // namespace slice
