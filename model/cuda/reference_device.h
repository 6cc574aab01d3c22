// The CPU reference of the encoder kernel: the same program, its steps run by
// the threads of a block one after the other.
#ifndef SLICE_MODEL_CUDA_REFERENCE_DEVICE_H_
#define SLICE_MODEL_CUDA_REFERENCE_DEVICE_H_

#include <cstdint>
#include <memory>

#include "model/cuda/arranged_weights.h"
#include "model/cuda/encoder_device.h"
#include "model/forward_pass.h"

namespace slice {

struct ReferenceDeviceOptions {
  int threads = 32;  // of a block
  // The order in which they run a step: their own for 0, else a shuffled one.
  // No result depends on it.
  uint64_t order_seed = 0;
};

// Runs a call at its start. `embeddings` must outlive it. What a block has not
// written it reads as not-a-number.
std::unique_ptr<EncoderDevice> MakeReferenceDevice(
    ArrangedWeights weights, const EmbeddingRows& embeddings,
    const ReferenceDeviceOptions& options);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_REFERENCE_DEVICE_H_
