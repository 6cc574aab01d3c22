// The one definition of the network: TorchScript source and the parameters that
// it names. The trainer compiles and trains it, and the bundle saves it. The
// server runs it, or runs a native pass that is compared with it first
// (model/native_choice.h).
//
// Includes no LibTorch, so that the source can be tested as text.
#ifndef SLICE_MODEL_TORCH_NETWORK_DEFINITION_H_
#define SLICE_MODEL_TORCH_NETWORK_DEFINITION_H_

#include <string>
#include <vector>

#include "model/network_options.h"
#include "model/torch/parameter_spec.h"

namespace slice {

// Every parameter that the source reads, in a fixed order. Names that begin
// with "structural_" belong to the structural scorer.
std::vector<ParameterSpec> NetworkParameters(const NetworkOptions& options);

// TorchScript source of five methods (contract version 2,
// docs/model-contract.md). Only training calls the last two:
//   forward(...)    -> outputs [B, 6]: OutputNames() of model/prediction.h
//   explain(...)    -> (outputs, attention [B, layers, heads, T, T])
//   structural(...) -> structural logits [B, 2]
//   encode(...)     -> contextual embeddings [B, T, encoding_width()], as the
//                      head reads them, before any projection
//   encoding_width()
std::string NetworkSource(const NetworkOptions& options);

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_NETWORK_DEFINITION_H_
