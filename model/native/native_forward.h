// Runs the network of model/torch/network_definition.h with our own kernels on
// the CPU. Tokens are packed without padding, and weights are laid out once,
// when the network is loaded. The TorchScript remains the definition: with
// float32 weights, the results agree with it to 1e-5.
#ifndef SLICE_MODEL_NATIVE_NATIVE_FORWARD_H_
#define SLICE_MODEL_NATIVE_NATIVE_FORWARD_H_

#include <memory>

#include "absl/status/statusor.h"
#include "model/forward_pass.h"
#include "model/native/packed_matrix.h"
#include "model/network_options.h"
#include "model/network_weights.h"

namespace slice {

// `embeddings` are the global embeddings [rows, options.embedding_dim]; they
// must outlive the pass. REQUIRES: `options` is one of
// weights.MatchingOptions().
std::unique_ptr<ForwardPass> MakeNativeForward(const NetworkWeights& weights,
                                               const NetworkOptions& options,
                                               const float* embeddings,
                                               WeightFormat format);

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_NATIVE_FORWARD_H_
