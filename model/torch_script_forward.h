// The definition of every other forward pass: the bundle's TorchScript, frozen.
#ifndef SLICE_MODEL_TORCH_SCRIPT_FORWARD_H_
#define SLICE_MODEL_TORCH_SCRIPT_FORWARD_H_

#include <torch/script.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "model/forward_pass.h"
#include "model/network_weights.h"

namespace slice {

// Freezes `network`. UNIMPLEMENTED for a cuda device in a CPU build;
// FAILED_PRECONDITION when the device is absent; INVALID_ARGUMENT for an
// unknown device name.
absl::StatusOr<std::unique_ptr<ForwardPass>> MakeTorchScriptForward(
    torch::jit::Module network, const EmbeddingRows& embeddings,
    const std::string& device);

// The parameters of a network that is not frozen.
NetworkWeights ExtractWeights(const torch::jit::Module& network);

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_SCRIPT_FORWARD_H_
