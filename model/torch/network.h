// The trainable network as a TorchScript module. This header includes LibTorch:
// it is for .cc files of model/ and trainer/ only.
#ifndef SLICE_MODEL_TORCH_NETWORK_H_
#define SLICE_MODEL_TORCH_NETWORK_H_

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/context_batch.h"
#include "model/network_options.h"
#include "model/torch/network_definition.h"

namespace slice {

// Compiles NetworkSource(options) with newly initialised parameters. Those that
// are trained require gradients. Deterministic in `seed`. INVALID_ARGUMENT when
// the options are invalid.
absl::StatusOr<torch::jit::Module> BuildNetwork(const NetworkOptions& options,
                                                uint64_t seed);

absl::Status SaveNetwork(const torch::jit::Module& network,
                         const std::filesystem::path& path);

// Loads a network to the CPU. DATA_LOSS when the file is no TorchScript network
// of the contract; errors of ReadFile.
absl::StatusOr<torch::jit::Module> LoadNetwork(
    const std::filesystem::path& path);

// The inputs of forward() and explain() in the contract's order. On the CPU the
// tensors share memory with `batch`, which must outlive them.
std::vector<torch::jit::IValue> NetworkInputs(const at::Tensor& embeddings,
                                              const ContextBatch& batch,
                                              at::Device device);

// Sets LibTorch to one thread per calling thread, without the profiling
// executor. Call before the first use of LibTorch in a process. Idempotent;
// thread-safe.
void ConfigureTorch();
// Lets LibTorch compute on the calling thread alone, as ConfigureTorch does for
// the thread that calls it first. For threads that multiply matrices: what they
// would start is counted by thread.
void ConfigureTorchThread();

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_NETWORK_H_
