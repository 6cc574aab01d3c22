// A network is TorchScript source (model/torch/network_definition.h) compiled
// into a module. Parameters are initialised here; LibTorch's own initialisers
// are not used, so that a seed gives the same network in every version. Files
// hold the module as LibTorch saves it. They are read and written as a whole by
// common/files.h, so that an error of a file is reported as everywhere else.
#include "model/torch/network.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>

#include <cmath>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "model/bundle_manifest.h"
#include "model/torch/network_definition.h"
#include "model/torch/torch_status.h"

namespace slice {
namespace {

// Deterministic in the seed and the parameter's name; independent of the order
// of the parameters.
at::Tensor InitialValue(const ParameterSpec& spec, uint64_t seed) {
  at::Tensor value = at::zeros(spec.shape);
  if (spec.init == ParameterInit::kZero) return value;
  if (spec.init == ParameterInit::kOne) return value.fill_(1.0);
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(
      CombineHash(seed, HashBytes(spec.name)));
  if (spec.init == ParameterInit::kNormal) {
    return value.normal_(0.0, 0.02, generator);
  }
  const double bound = std::sqrt(3.0 / static_cast<double>(spec.shape.back()));
  return value.uniform_(-bound, bound, generator);
}

// `values` as a tensor that shares their memory on the CPU, or a copy on
// another device.
template <typename T>
at::Tensor Wrap(const std::vector<T>& values, at::IntArrayRef shape,
                at::ScalarType type, at::Device device) {
  at::Tensor tensor = at::from_blob(const_cast<T*>(values.data()), shape,
                                    at::TensorOptions().dtype(type));
  return device.is_cpu() ? tensor : tensor.to(device);
}

}  // namespace

void ConfigureTorch() {
  static std::once_flag once;
  std::call_once(once, [] {
    at::set_num_threads(1);
    // LibTorch refuses to set this number twice. A program that links LibTorch
    // and loads libslice_torchscript.so has two copies of this function.
    if (at::get_num_interop_threads() != 1) at::set_num_interop_threads(1);
    torch::jit::getProfilingMode() = false;
  });
}

void ConfigureTorchThread() {
  ConfigureTorch();
  at::init_num_threads();
}

absl::StatusOr<torch::jit::Module> BuildNetwork(const NetworkOptions& options,
                                                uint64_t seed) {
  SLICE_RETURN_IF_ERROR(options.Validate());
  ConfigureTorch();
  return CatchTorchErrors([&]() -> absl::StatusOr<torch::jit::Module> {
    torch::jit::Module network("SliceNetwork");
    for (const ParameterSpec& spec : NetworkParameters(options)) {
      at::Tensor value = InitialValue(spec, seed);
      value.set_requires_grad(spec.trained);
      network.register_parameter(spec.name, value,
                                 /*is_buffer=*/!spec.trained);
    }
    network.register_attribute("training", c10::BoolType::get(), true);
    network.define(NetworkSource(options));
    return network;
  });
}

absl::Status SaveNetwork(const torch::jit::Module& network,
                         const std::filesystem::path& path) {
  return CatchTorchErrors([&]() -> absl::Status {
    std::ostringstream bytes;
    network.save(bytes);
    return WriteFileAtomically(path, bytes.str());
  });
}

absl::StatusOr<torch::jit::Module> LoadNetwork(
    const std::filesystem::path& path) {
  ConfigureTorch();
  SLICE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  auto loaded = CatchTorchErrors([&]() -> absl::StatusOr<torch::jit::Module> {
    std::istringstream stream(bytes);
    return torch::jit::load(stream, at::kCPU);
  });
  if (!loaded.ok()) {
    return absl::DataLossError(absl::StrCat(
        path.string(),
        " is not a TorchScript network: ", loaded.status().message()));
  }
  for (const char* method : {"forward", "explain", "structural"}) {
    if (!loaded->find_method(method)) {
      return absl::DataLossError(
          absl::StrCat(path.string(), " lacks the method ", method,
                       " of contract version ", kModelContractVersion));
    }
  }
  return loaded;
}

namespace {

// The embeddings, and the rows of them that the tokens have.
struct TokenNodes {
  at::Tensor embeddings;
  at::Tensor nodes;  // [B, T], -1: none
};

// With unknown nodes, gathers the embeddings of all tokens in a table of their
// own, [B T, dim], whose row i is that of token i.
TokenNodes NodesOf(const at::Tensor& embeddings, const ContextBatch& batch,
                   at::Device device) {
  const at::Tensor nodes =
      Wrap(batch.nodes, {batch.rows, batch.tokens}, at::kLong, device);
  if (batch.unknown_embeddings.empty()) return {embeddings, nodes};
  const int64_t dim = embeddings.size(1);
  const auto unknown =
      static_cast<int64_t>(batch.unknown_embeddings.size()) / dim;
  const at::Tensor flat = nodes.flatten();
  const at::Tensor known = embeddings.index_select(0, flat.clamp_min(0));
  const at::Tensor added =
      Wrap(batch.unknown_embeddings, {unknown, dim}, at::kFloat, device)
          .index_select(0, (-2 - flat).clamp_min(0));
  const at::Tensor rows = at::arange(flat.size(0), flat.options());
  return {at::where((flat < -1).unsqueeze(1), added, known),
          at::where(flat == -1, flat, rows).reshape(nodes.sizes())};
}

}  // namespace

std::vector<torch::jit::IValue> NetworkInputs(const at::Tensor& embeddings,
                                              const ContextBatch& batch,
                                              at::Device device) {
  const int64_t b = batch.rows, t = batch.tokens;
  const auto ints = at::kLong;
  const auto floats = at::kFloat;
  const TokenNodes tokens = NodesOf(embeddings, batch, device);
  return {
      tokens.embeddings,
      tokens.nodes,
      Wrap(batch.kinds, {b, t}, ints, device),
      Wrap(batch.roles, {b, t}, ints, device),
      Wrap(batch.token_features, {b, t, batch.token_features_dim}, floats,
           device),
      Wrap(batch.token_relations, {b, t, 3}, ints, device),
      Wrap(batch.pair_relations, {b, t, t}, ints, device),
      Wrap(batch.relation, {b}, ints, device),
      Wrap(batch.pair_features, {b, batch.pair_features_dim}, floats, device)};
}

}  // namespace slice
