// A batch is split into calls by length, because every call pads its contexts
// to the longest one (model/length_buckets.h). Each call makes tensors of the
// arrays, runs a method of the frozen module in inference mode and copies the
// outputs into plain arrays. The module is used by many threads at once and
// never changed.
#include "model/torch/torch_script_forward.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <dlfcn.h>
#include <torch/csrc/jit/passes/inliner.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "model/device.h"
#include "model/length_buckets.h"
#include "model/torch/network.h"
#include "model/torch/torch_status.h"

namespace slice {
namespace {

// The part of a call's cost that does not depend on its tokens, as a number of
// tokens of the default network (docs/performance.md: a call with one context
// takes 0.27 ms, a token 4 us).
constexpr int64_t kCallCost = 50;

constexpr int64_t kOutputs = int64_t{kScorers} * kQuestions;

// Loads LibTorch's kernels for CUDA. Only TorchScript on a device needs these
// kernels, so the program is not linked with them.
absl::Status LoadTorchCuda() {
#ifdef SLICE_CUDA
  static void* const library =
      dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL);
  if (library != nullptr && at::hasCUDA()) return absl::OkStatus();
  const char* why = dlerror();
  return absl::FailedPreconditionError(absl::StrCat(
      "the forward path torchscript on a cuda device needs libtorch_cuda.so: ",
      why == nullptr ? "LibTorch finds no CUDA device" : why));
#else
  return absl::OkStatus();
#endif
}

std::vector<float> ToVector(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.detach().cpu().to(at::kFloat).contiguous();
  const float* values = plain.data_ptr<float>();
  return {values, values + plain.numel()};
}

// What `explain` returns beside the logits.
struct Explained {
  at::Tensor attention;  // [rows, layers, heads, T, T]
  // [rows, layers + 1, T, 2]; undefined in networks of older bundles, which
  // return no cosines.
  at::Tensor cosines;
};

// Cuts the padding off one row.
SemanticAssociationMatrix TrimRow(const Explained& explained, int64_t row,
                                  int64_t tokens) {
  const at::Tensor trimmed =
      explained.attention[row].slice(2, 0, tokens).slice(3, 0, tokens);
  SemanticAssociationMatrix matrix;
  matrix.layers = static_cast<int>(trimmed.size(0));
  matrix.heads = static_cast<int>(trimmed.size(1));
  matrix.tokens = static_cast<int>(tokens);
  matrix.weights = ToVector(trimmed);
  if (explained.cosines.defined()) {
    matrix.cosines = ToVector(explained.cosines[row].slice(1, 0, tokens));
  }
  return matrix;
}

class TorchScriptForward final : public ForwardPass {
 public:
  TorchScriptForward(torch::jit::Module module, at::Tensor embeddings,
                     at::Device device)
      : module_(std::move(module)),
        embeddings_(std::move(embeddings)),
        device_(device) {}

  ForwardPath path() const override { return ForwardPath::kTorchScript; }

  absl::StatusOr<ForwardOutputs> Run(const ContextBatch& batch,
                                     bool with_attention) const override {
    const auto buckets = LengthBuckets(batch.row_tokens, kCallCost);
    if (buckets.size() <= 1) return Call(batch, with_attention);
    ForwardOutputs outputs;
    outputs.logits.resize(batch.rows * kOutputs);
    outputs.attention.resize(with_attention ? batch.rows : 0);
    for (const std::vector<int64_t>& rows : buckets) {
      SLICE_ASSIGN_OR_RETURN(ForwardOutputs part,
                             Call(batch.Select(rows), with_attention));
      for (size_t i = 0; i < rows.size(); ++i) {
        std::copy_n(part.logits.begin() + i * kOutputs, kOutputs,
                    outputs.logits.begin() + rows[i] * kOutputs);
        if (!with_attention) continue;
        outputs.attention[rows[i]] = std::move(part.attention[i]);
      }
    }
    return outputs;
  }

  absl::StatusOr<std::vector<float>> RunStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const override {
    // Rows per call: so few that the activations stay in the cache.
    constexpr size_t kChunk = 512;
    const size_t rows =
        feature_count == 0 ? 0 : pair_features.size() / feature_count;
    return CatchTorchErrors([&]() -> absl::StatusOr<std::vector<float>> {
      const c10::InferenceMode inference;
      std::vector<float> logits;
      for (size_t begin = 0; begin < rows; begin += kChunk) {
        const auto count = static_cast<int64_t>(std::min(kChunk, rows - begin));
        const at::Tensor outputs =
            Structural(relation, pair_features.data() + begin * feature_count,
                       count, static_cast<int64_t>(feature_count));
        if (outputs.dim() != 2 || outputs.size(0) != count ||
            outputs.size(1) != kQuestions) {
          return absl::InternalError(
              "the network's structural part does not return [rows, 2]");
        }
        const std::vector<float> part = ToVector(outputs);
        logits.insert(logits.end(), part.begin(), part.end());
      }
      return logits;
    });
  }

 private:
  // One call of the network.
  absl::StatusOr<ForwardOutputs> Call(const ContextBatch& batch,
                                      bool with_attention) const {
    return CatchTorchErrors([&]() -> absl::StatusOr<ForwardOutputs> {
      const c10::InferenceMode inference;
      auto inputs = NetworkInputs(embeddings_, batch, device_);
      at::Tensor logits;
      Explained explained;
      if (with_attention) {
        const auto result =
            module_.get_method("explain")(std::move(inputs)).toTuple();
        logits = result->elements()[0].toTensor();
        explained.attention = result->elements()[1].toTensor().cpu();
        if (result->elements().size() > 2) {
          explained.cosines = result->elements()[2].toTensor().cpu();
        }
      } else {
        logits = module_.get_method("forward")(std::move(inputs)).toTensor();
      }
      if (logits.dim() != 2 || logits.size(0) != batch.rows ||
          logits.size(1) != kOutputs) {
        return absl::InternalError(
            "the network's output is not [rows, 6] as contract version 2 says");
      }
      ForwardOutputs outputs;
      outputs.logits = ToVector(logits);
      for (int64_t row = 0; with_attention && row < batch.rows; ++row) {
        outputs.attention.push_back(
            TrimRow(explained, row, batch.row_tokens[row]));
      }
      return outputs;
    });
  }

  at::Tensor Structural(RelationId relation, const float* pair_features,
                        int64_t rows, int64_t width) const {
    const at::Tensor features = at::from_blob(const_cast<float*>(pair_features),
                                              {rows, width}, at::kFloat)
                                    .to(device_);
    const at::Tensor relations =
        at::full({rows}, static_cast<int64_t>(relation),
                 at::TensorOptions(at::kInt).device(device_));
    return module_.get_method("structural")({relations, features}).toTensor();
  }

  const torch::jit::Module module_;
  const at::Tensor embeddings_;
  const at::Device device_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ForwardPass>> MakeTorchScriptForward(
    torch::jit::Module network, const EmbeddingRows& embeddings,
    const std::string& device_name) {
  SLICE_RETURN_IF_ERROR(CheckDevice(device_name));
  SLICE_RETURN_IF_ERROR(PrepareTorchScript(device_name));
  using Result = absl::StatusOr<std::unique_ptr<ForwardPass>>;
  return CatchTorchErrors([&]() -> Result {
    const at::Device device(device_name);
    network.eval();
    if (!device.is_cpu()) {
      // The caller's module stays on the CPU.
      network = network.deepcopy();
      network.to(device);
    }
    torch::jit::Module frozen = torch::jit::freeze(
        network, std::vector<std::string>{"explain", "structural"});
    // Freezing drops the methods that these methods call, so they are inlined
    // here, independently of the executor settings of the calling thread.
    for (const char* name : {"forward", "explain", "structural"}) {
      torch::jit::Inline(*frozen.get_method(name).graph());
    }
    at::Tensor table =
        at::from_blob(const_cast<float*>(embeddings.values),
                      {embeddings.rows, embeddings.dim}, at::kFloat)
            .to(device);
    return std::make_unique<TorchScriptForward>(std::move(frozen),
                                                std::move(table), device);
  });
}

absl::Status PrepareTorchScript(const std::string& device) {
  return device == "cpu" ? absl::OkStatus() : LoadTorchCuda();
}

NetworkWeights ExtractWeights(const torch::jit::Module& network) {
  NetworkWeights weights;
  const auto set = [&](const auto& named) {
    weights.Set(named.name, {named.value.sizes().vec(), ToVector(named.value)});
  };
  for (const auto& parameter : network.named_parameters()) set(parameter);
  for (const auto& fixed : network.named_buffers()) set(fixed);
  return weights;
}

}  // namespace slice
