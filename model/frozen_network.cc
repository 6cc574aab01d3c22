#include "model/frozen_network.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "model/native_choice.h"
#include "model/network.h"
#include "model/torch_script_forward.h"

namespace slice {
namespace {

// Over the contexts of each link (rows of one link are neighbours).
std::vector<Prediction> PoolPredictions(const std::vector<float>& logits,
                                        const ContextBatch& batch,
                                        const OutputReading& reading) {
  constexpr int kColumns = kScorers * kQuestions;
  const bool by_mean = reading.pooling == ContextPooling::kMean;
  std::vector<Prediction> predictions(batch.links);
  std::vector<int> counts(batch.links, 0);
  for (int64_t row = 0; row < batch.rows; ++row) {
    Prediction& prediction = predictions[batch.row_link[row]];
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
    predictions[i].Read(reading);
  }
  return predictions;
}

}  // namespace

absl::StatusOr<std::unique_ptr<FrozenNetwork>> FrozenNetwork::Load(
    const std::filesystem::path& path, const FrozenNetworkOptions& options) {
  SLICE_ASSIGN_OR_RETURN(const torch::jit::Module network, LoadNetwork(path));
  const EmbeddingRows embeddings = {options.embeddings, options.embedding_rows,
                                    options.embedding_dim};
  const NetworkWeights weights = ExtractWeights(network);
  SLICE_ASSIGN_OR_RETURN(
      std::unique_ptr<ForwardPass> pass,
      MakeTorchScriptForward(network, embeddings, options.device));
  if (options.path != ForwardPath::kTorchScript) {
    const WeightFormat format = options.path == ForwardPath::kNativeBfloat16
                                    ? WeightFormat::kBfloat16
                                    : WeightFormat::kFloat32;
    auto native = options.device == "cpu"
                      ? ChooseNativeForward(weights, embeddings, *pass, format)
                      : absl::UnimplementedError(absl::StrCat(
                            "there is none for device ", options.device));
    if (native.ok()) {
      pass = std::move(*native);
    } else if (options.path != ForwardPath::kAuto) {
      return absl::FailedPreconditionError(absl::StrCat(
          "no forward pass ", std::string(ForwardPathName(options.path)),
          " for ", path.string(), ": ", native.status().message(),
          "; the forward path torchscript runs any network"));
    }
  }
  return std::unique_ptr<FrozenNetwork>(
      new FrozenNetwork(std::move(pass), options.reading));
}

absl::StatusOr<std::vector<Prediction>> FrozenNetwork::Predict(
    const ContextBatch& batch) const {
  if (batch.rows == 0) return std::vector<Prediction>(batch.links);
  SLICE_ASSIGN_OR_RETURN(const ForwardOutputs outputs,
                         pass_->Run(batch, /*with_attention=*/false));
  return PoolPredictions(outputs.logits, batch, reading_);
}

// The structural logit of a row's link less what it is with each pair feature
// at 0.
absl::StatusOr<std::vector<float>> FrozenNetwork::Contributions(
    const ContextBatch& batch, int64_t row) const {
  const auto count = static_cast<size_t>(batch.pair_features_dim);
  if (count == 0) return std::vector<float>();
  const float* features =
      batch.pair_features.data() + row * batch.pair_features_dim;
  // The link as it is, then a row without each feature.
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

}  // namespace slice
