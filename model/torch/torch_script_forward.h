// The forward pass that defines what all other passes must compute: the
// bundle's TorchScript, frozen and run by LibTorch.
#ifndef SLICE_MODEL_TORCH_TORCH_SCRIPT_FORWARD_H_
#define SLICE_MODEL_TORCH_TORCH_SCRIPT_FORWARD_H_

#include <torch/csrc/jit/api/module.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/forward_pass.h"
#include "model/network_weights.h"

namespace slice {

// Loads the library that LibTorch needs to run on `device`; the CPU needs none.
// Call this before any other use of LibTorch, because LibTorch looks for
// devices only once. FAILED_PRECONDITION when the library is missing.
absl::Status PrepareTorchScript(const std::string& device);

// Makes a pass that runs a frozen copy of `network` on `device`. Returns the
// errors of CheckDevice and PrepareTorchScript.
absl::StatusOr<std::unique_ptr<ForwardPass>> MakeTorchScriptForward(
    torch::jit::Module network, const EmbeddingRows& embeddings,
    const std::string& device);

// The parameters of `network`. REQUIRES: `network` is not frozen.
NetworkWeights ExtractWeights(const torch::jit::Module& network);

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_TORCH_SCRIPT_FORWARD_H_
