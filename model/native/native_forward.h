// The network of model/torch/network_definition.h computed by our own kernels:
// tokens packed without padding, weights laid out once, attention of a context
// in one go. The TorchScript stays the definition: results agree to 1e-5.
#ifndef SLICE_MODEL_NATIVE_NATIVE_FORWARD_H_
#define SLICE_MODEL_NATIVE_NATIVE_FORWARD_H_

#include <memory>

#include "absl/status/statusor.h"
#include "model/forward_pass.h"
#include "model/native/packed_matrix.h"
#include "model/network_options.h"
#include "model/network_weights.h"

namespace slice {

// Runs the network with `weights`, one of weights.MatchingOptions() being
// `options`, over the global embeddings [rows, options.embedding_dim], which
// must outlive it.
std::unique_ptr<ForwardPass> MakeNativeForward(const NetworkWeights& weights,
                                               const NetworkOptions& options,
                                               const float* embeddings,
                                               WeightFormat format);

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_NATIVE_FORWARD_H_
