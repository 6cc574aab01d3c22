// Load lets model/forward_choice.h choose the pass that runs the network.
// Predict then runs the pass over the contexts of a batch and makes one
// prediction per link, by pooling the logits of the link's contexts and adding
// those of the knowledge graph embedding.
#include "model/frozen_network.h"

#include <algorithm>
#include <utility>

#include "common/status_macros.h"
#include "model/device.h"
#include "model/forward_choice.h"

namespace slice {
namespace {

// Completes a prediction that has the logits of the network: what follows from
// the link, which is number `link` of the batch.
void Complete(const ContextBatch& batch, size_t link,
              const OutputReading& reading, Prediction& prediction) {
  if (link < batch.flags.size()) prediction.flags = batch.flags[link];
  if (link < batch.knowledge_logits.size()) {
    prediction.AddToLogits(batch.knowledge_logits[link]);
  }
  prediction.Read(reading);
}

// Makes the prediction of each context as if it were the only one of its link.
// `logits` is [rows, kScorers * kQuestions], a row per context.
std::vector<Prediction> PredictEachContext(const std::vector<float>& logits,
                                           const ContextBatch& batch,
                                           const OutputReading& reading) {
  std::vector<Prediction> predictions(batch.rows);
  size_t next = 0;
  for (int64_t row = 0; row < batch.rows; ++row) {
    Prediction& prediction = predictions[row];
    prediction.relation = static_cast<RelationId>(batch.relation[row]);
    for (auto& of_scorer : prediction.logits) {
      for (float& logit : of_scorer) logit = logits[next++];
    }
    Complete(batch, static_cast<size_t>(batch.row_link[row]), reading,
             prediction);
  }
  return predictions;
}

// Makes the prediction of each link by pooling the logits of its contexts.
// `logits` is as above.
std::vector<Prediction> PoolPredictions(const std::vector<float>& logits,
                                        const ContextBatch& batch,
                                        const OutputReading& reading) {
  constexpr int kColumns = kScorers * kQuestions;
  const bool by_mean = reading.pooling == ContextPooling::kMean;
  std::vector<Prediction> predictions(batch.links);
  std::vector<int> counts(batch.links, 0);
  for (int64_t row = 0; row < batch.rows; ++row) {
    Prediction& prediction = predictions[batch.row_link[row]];
    prediction.relation = static_cast<RelationId>(batch.relation[row]);
    const bool first = counts[batch.row_link[row]]++ == 0;
    for (int i = 0; i < kColumns; ++i) {
      float& logit = prediction.logits[i / kQuestions][i % kQuestions];
      const float value = logits[row * kColumns + i];
      logit = by_mean || first ? logit + value : std::max(logit, value);
    }
  }
  for (size_t i = 0; i < predictions.size(); ++i) {
    for (auto& of_scorer : predictions[i].logits) {
      if (!by_mean) break;
      for (float& logit : of_scorer) logit /= static_cast<float>(counts[i]);
    }
    Complete(batch, i, reading, predictions[i]);
  }
  return predictions;
}

}  // namespace

absl::StatusOr<std::unique_ptr<FrozenNetwork>> FrozenNetwork::Load(
    const std::filesystem::path& path, const FrozenNetworkOptions& options) {
  SLICE_RETURN_IF_ERROR(CheckDevice(options.forward.device));
  const NetworkParts parts = {path, options.native, options.embeddings};
  SLICE_ASSIGN_OR_RETURN(ChosenForward chosen,
                         ChooseForward(parts, options.forward));
  return std::unique_ptr<FrozenNetwork>(new FrozenNetwork(
      std::move(chosen.pass), options.reading, std::move(chosen.timings)));
}

absl::StatusOr<std::vector<Prediction>> FrozenNetwork::Predict(
    const ContextBatch& batch) const {
  if (batch.rows == 0) return std::vector<Prediction>(batch.links);
  SLICE_ASSIGN_OR_RETURN(const ForwardOutputs outputs,
                         pass_->Run(batch, /*with_attention=*/false));
  return PoolPredictions(outputs.logits, batch, reading_);
}

// For each pair feature: the structural logit of the row's link, minus the
// logit that the link would have if this feature were 0.
absl::StatusOr<std::vector<float>> FrozenNetwork::Contributions(
    const ContextBatch& batch, int64_t row) const {
  const auto count = static_cast<size_t>(batch.pair_features_dim);
  if (count == 0) return std::vector<float>();
  const float* features =
      batch.pair_features.data() + row * batch.pair_features_dim;
  // First the link as it is, then one row per feature with this feature at 0.
  std::vector<float> rows;
  for (size_t without = 0; without <= count; ++without) {
    rows.insert(rows.end(), features, features + count);
    if (without > 0) rows[without * count + without - 1] = 0;
  }
  SLICE_ASSIGN_OR_RETURN(
      const std::vector<float> logits,
      pass_->RunStructural(static_cast<RelationId>(batch.relation[row]), rows,
                           count));
  std::vector<float> changes(count);
  for (size_t i = 0; i < count; ++i) {
    changes[i] = logits[0] - logits[(i + 1) * kQuestions];
  }
  return changes;
}

absl::StatusOr<ExplainedBatch> FrozenNetwork::Explain(
    const ContextBatch& batch) const {
  if (batch.rows == 0) return ExplainedBatch{};
  SLICE_ASSIGN_OR_RETURN(ForwardOutputs outputs,
                         pass_->Run(batch, /*with_attention=*/true));
  ExplainedBatch explained;
  explained.predictions = PoolPredictions(outputs.logits, batch, reading_);
  explained.context_predictions =
      PredictEachContext(outputs.logits, batch, reading_);
  explained.attention = std::move(outputs.attention);
  for (int64_t row = 0; row < batch.rows; ++row) {
    // The contexts of a link share its pair features.
    if (row > 0 && batch.row_link[row] == batch.row_link[row - 1]) continue;
    SLICE_ASSIGN_OR_RETURN(explained.contributions.emplace_back(),
                           Contributions(batch, row));
  }
  return explained;
}

absl::StatusOr<std::vector<StructuralLogits>> FrozenNetwork::ScoreStructural(
    RelationId relation, std::span<const float> pair_features,
    size_t feature_count) const {
  SLICE_ASSIGN_OR_RETURN(
      const std::vector<float> values,
      pass_->RunStructural(relation, pair_features, feature_count));
  std::vector<StructuralLogits> logits(values.size() / kQuestions);
  for (size_t i = 0; i < values.size(); ++i) {
    logits[i / kQuestions][i % kQuestions] = values[i];
  }
  return logits;
}

absl::StatusOr<std::vector<float>> FrozenNetwork::ScoreForRanking(
    RelationId relation, std::span<const float> pair_features,
    size_t feature_count) const {
  if (ranking_) {
    return ranking_->ScoreForRanking(relation, pair_features, feature_count);
  }
  return BatchScorer::ScoreForRanking(relation, pair_features, feature_count);
}

}  // namespace slice
