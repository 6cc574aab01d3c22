// The one definition of the network: TorchScript source and the parameters it
// names. The trainer compiles and trains it, the bundle saves it, the server
// runs it, or holds the native path to it (model/native/native_forward.h).
//
// Free of LibTorch, so that it can be read and tested as text.
#ifndef SLICE_MODEL_TORCH_NETWORK_DEFINITION_H_
#define SLICE_MODEL_TORCH_NETWORK_DEFINITION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/network_options.h"

namespace slice {

// How a parameter starts.
enum class ParameterInit { kUniformFanIn, kNormal, kZero, kOne };

struct ParameterSpec {
  std::string name;
  std::vector<int64_t> shape;
  ParameterInit init = ParameterInit::kUniformFanIn;
};

// Every parameter the source reads, in a fixed order. Names starting with
// "structural_" belong to the structural scorer.
std::vector<ParameterSpec> NetworkParameters(const NetworkOptions& options);

// TorchScript source of four methods (contract version 2,
// docs/model-contract.md):
//   forward(...)    -> outputs [B, 6]: OutputNames() of model/prediction.h
//   explain(...)    -> (outputs, attention [B, layers, heads, T, T])
//   encode(...)     -> contextual embeddings [B, T, hidden_dim]
//   structural(...) -> structural logits [B, 2]
std::string NetworkSource(const NetworkOptions& options);

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_NETWORK_DEFINITION_H_
