// The parameters of a network, laid out for the encoder kernel
// (model/cuda/encoder_kernel.cu).
#ifndef SLICE_MODEL_CUDA_ARRANGED_WEIGHTS_H_
#define SLICE_MODEL_CUDA_ARRANGED_WEIGHTS_H_

#include <vector>

#include "model/cuda/encoder_arrays.h"
#include "model/network_options.h"
#include "model/network_weights.h"

namespace slice {

struct ArrangedWeights {
  EncoderArrays arrays;       // where each parameter begins in `values`
  std::vector<float> values;  // copied to the device as it is
};

// REQUIRES: `options` is one of weights.MatchingOptions().
ArrangedWeights ArrangeWeights(const NetworkWeights& weights,
                               const NetworkOptions& options);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ARRANGED_WEIGHTS_H_
