// The definition of every other forward pass: the bundle's TorchScript, frozen.
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

// Loads what LibTorch needs on a device. It looks for devices at its first use,
// whatever that is: call this before. FAILED_PRECONDITION when a library is
// missing.
absl::Status PrepareTorchScript(const std::string& device);

// Freezes `network`, which on a cuda device is a copy of it. Errors of
// CheckDevice and PrepareTorchScript.
absl::StatusOr<std::unique_ptr<ForwardPass>> MakeTorchScriptForward(
    torch::jit::Module network, const EmbeddingRows& embeddings,
    const std::string& device);

// The parameters of a network that is not frozen.
NetworkWeights ExtractWeights(const torch::jit::Module& network);

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_TORCH_SCRIPT_FORWARD_H_
