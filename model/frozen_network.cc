#include "model/frozen_network.h"

#include <torch/csrc/jit/passes/inliner.h>

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "model/network.h"
#include "model/torch_status.h"

namespace slice {
namespace {

absl::StatusOr<torch::Device> ParseDevice(const std::string& name) {
  if (name == "cpu") return torch::Device(torch::kCPU);
  if (name != "cuda" && name.rfind("cuda:", 0) != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "unknown device '", name, "'; devices are cpu, cuda and cuda:N"));
  }
#ifdef SLICE_CUDA
  if (!at::hasCUDA()) {
    return absl::FailedPreconditionError(
        absl::StrCat("device ", name, ": no CUDA device is present"));
  }
  return CatchTorchErrors(
      [&]() -> absl::StatusOr<torch::Device> { return torch::Device(name); });
#else
  return absl::UnimplementedError(absl::StrCat(
      "device ", name,
      ": this program was built for the CPU; build the cuda preset"));
#endif
}

// Over the contexts of each link (rows of one link are neighbours).
std::vector<Prediction> PoolPredictions(const torch::Tensor& outputs,
                                        const ContextBatch& batch,
                                        const OutputReading& reading) {
  const bool by_mean = reading.pooling == ContextPooling::kMean;
  std::vector<Prediction> predictions(batch.links);
  std::vector<int> counts(batch.links, 0);
  const auto rows = outputs.accessor<float, 2>();
  for (int64_t row = 0; row < batch.rows; ++row) {
    Prediction& prediction = predictions[batch.row_link[row]];
    for (int i = 0; i < kScorers * kQuestions; ++i) {
      float& logit = prediction.logits[i / kQuestions][i % kQuestions];
      const bool first = counts[batch.row_link[row]] == 0;
      logit = by_mean || first ? logit + rows[row][i]
                               : std::max(logit, rows[row][i]);
    }
    ++counts[batch.row_link[row]];
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

// The structural logit of one link less what it is with each pair feature at 0.
// `relation` [1] and `features` [1, Fp] are on the module's device.
std::vector<float> Contributions(const torch::jit::Module& module,
                                 const torch::Tensor& relation,
                                 const torch::Tensor& features) {
  const int64_t count = features.size(1);
  if (count == 0) return {};
  // The link as it is, then a row without each feature.
  torch::Tensor rows = features.repeat({count + 1, 1});
  rows.slice(0, 1).fill_diagonal_(0);
  const torch::Tensor logits =
      module.get_method("structural")({relation.expand({count + 1}), rows})
          .toTensor()
          .select(1, static_cast<int>(Question::kPlausible));
  const torch::Tensor changes =
      (logits.slice(0, 0, 1) - logits.slice(0, 1)).cpu().contiguous();
  const float* values = changes.data_ptr<float>();
  return {values, values + count};
}

// Cuts the padding off one row's attention [layers, heads, T, T].
SemanticAssociationMatrix TrimAttention(const torch::Tensor& attention,
                                        int64_t row, int64_t tokens) {
  const torch::Tensor trimmed =
      attention[row].slice(2, 0, tokens).slice(3, 0, tokens).contiguous();
  SemanticAssociationMatrix matrix;
  matrix.layers = static_cast<int>(trimmed.size(0));
  matrix.heads = static_cast<int>(trimmed.size(1));
  matrix.tokens = static_cast<int>(tokens);
  const float* values = trimmed.data_ptr<float>();
  matrix.weights.assign(values, values + trimmed.numel());
  return matrix;
}

absl::Status CheckOutputs(const torch::Tensor& outputs,
                          const ContextBatch& batch) {
  if (outputs.dim() != 2 || outputs.size(0) != batch.rows ||
      outputs.size(1) != kScorers * kQuestions) {
    return absl::InternalError(
        "the network's output is not [rows, 6] as contract version 2 says");
  }
  return absl::OkStatus();
}

}  // namespace

struct FrozenNetwork::State {
  torch::jit::Module module;
  torch::Tensor embeddings;
  torch::Device device = torch::kCPU;
  OutputReading reading;
};

FrozenNetwork::FrozenNetwork(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
FrozenNetwork::~FrozenNetwork() = default;

absl::StatusOr<std::unique_ptr<FrozenNetwork>> FrozenNetwork::Load(
    const std::filesystem::path& path, const FrozenNetworkOptions& options) {
  auto state = std::make_unique<State>();
  SLICE_ASSIGN_OR_RETURN(state->device, ParseDevice(options.device));
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module module, LoadNetwork(path));
  state->reading = options.reading;
  SLICE_RETURN_IF_ERROR(CatchTorchErrors([&]() -> absl::Status {
    module.eval();
    module.to(state->device);
    state->module = torch::jit::freeze(
        module, std::vector<std::string>{"explain", "structural"});
    // Freezing drops the methods these call: inline them for good, whatever the
    // calling thread's executor settings.
    for (const char* name : {"forward", "explain", "structural"}) {
      torch::jit::Inline(*state->module.get_method(name).graph());
    }
    state->embeddings =
        torch::from_blob(const_cast<float*>(options.embeddings),
                         {options.embedding_rows, options.embedding_dim},
                         torch::kFloat32)
            .to(state->device);
    return absl::OkStatus();
  }));
  return std::unique_ptr<FrozenNetwork>(new FrozenNetwork(std::move(state)));
}

absl::StatusOr<std::vector<Prediction>> FrozenNetwork::Predict(
    const ContextBatch& batch) const {
  if (batch.rows == 0) return std::vector<Prediction>(batch.links);
  using Result = absl::StatusOr<std::vector<Prediction>>;
  return CatchTorchErrors([&]() -> Result {
    const c10::InferenceMode inference;
    auto inputs = NetworkInputs(state_->embeddings, batch, state_->device);
    const torch::Tensor outputs =
        state_->module.forward(std::move(inputs)).toTensor().cpu();
    SLICE_RETURN_IF_ERROR(CheckOutputs(outputs, batch));
    return PoolPredictions(outputs, batch, state_->reading);
  });
}

absl::StatusOr<ExplainedBatch> FrozenNetwork::Explain(
    const ContextBatch& batch) const {
  if (batch.rows == 0) return ExplainedBatch{};
  return CatchTorchErrors([&]() -> absl::StatusOr<ExplainedBatch> {
    const c10::InferenceMode inference;
    auto inputs = NetworkInputs(state_->embeddings, batch, state_->device);
    const torch::Tensor relations = inputs[7].toTensor();
    const torch::Tensor features = inputs[8].toTensor();
    const auto result =
        state_->module.get_method("explain")(std::move(inputs)).toTuple();
    const torch::Tensor outputs = result->elements()[0].toTensor().cpu();
    const torch::Tensor attention = result->elements()[1].toTensor().cpu();
    SLICE_RETURN_IF_ERROR(CheckOutputs(outputs, batch));
    ExplainedBatch explained;
    explained.predictions = PoolPredictions(outputs, batch, state_->reading);
    for (int64_t row = 0; row < batch.rows; ++row) {
      explained.attention.push_back(
          TrimAttention(attention, row, batch.row_tokens[row]));
      // The contexts of a link share its pair features.
      if (row > 0 && batch.row_link[row] == batch.row_link[row - 1]) continue;
      explained.contributions.push_back(
          Contributions(state_->module, relations.narrow(0, row, 1),
                        features.narrow(0, row, 1)));
    }
    return explained;
  });
}

absl::StatusOr<std::vector<StructuralLogits>> FrozenNetwork::ScoreStructural(
    RelationId relation, std::span<const float> pair_features,
    size_t feature_count) const {
  // Rows whose activations stay in the cache.
  constexpr size_t kChunk = 512;
  using Result = absl::StatusOr<std::vector<StructuralLogits>>;
  const size_t rows =
      feature_count == 0 ? 0 : pair_features.size() / feature_count;
  return CatchTorchErrors([&]() -> Result {
    const c10::InferenceMode inference;
    const auto method = state_->module.get_method("structural");
    std::vector<StructuralLogits> logits(rows);
    for (size_t begin = 0; begin < rows; begin += kChunk) {
      const auto count = static_cast<int64_t>(std::min(kChunk, rows - begin));
      const torch::Tensor features =
          torch::from_blob(
              const_cast<float*>(pair_features.data() + begin * feature_count),
              {count, static_cast<int64_t>(feature_count)}, torch::kFloat32)
              .to(state_->device);
      const torch::Tensor relations =
          torch::full({count}, static_cast<int64_t>(relation),
                      torch::TensorOptions(torch::kInt).device(state_->device));
      const torch::Tensor outputs =
          method({relations, features}).toTensor().cpu();
      if (outputs.dim() != 2 || outputs.size(0) != count ||
          outputs.size(1) != kQuestions) {
        return absl::InternalError(
            "the network's structural part does not return [rows, 2]");
      }
      const auto values = outputs.accessor<float, 2>();
      for (int64_t row = 0; row < count; ++row) {
        for (int question = 0; question < kQuestions; ++question) {
          logits[begin + row][question] = values[row][question];
        }
      }
    }
    return logits;
  });
}

}  // namespace slice
