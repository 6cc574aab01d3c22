// The CPU reference of the encoder kernel, for tests on machines without a GPU.
// It runs the same program as the kernel, on one CPU thread: in each step the
// threads of a block run one after the other.
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
  // The order in which the threads run a step: by index for 0, shuffled with
  // this seed otherwise. No result depends on it.
  uint64_t order_seed = 0;
};

// Each call is computed when it is started. Working memory (scratch) and
// outputs begin as not-a-number. So the results show it if a thread reads what
// no thread has written. `embeddings` must outlive the device.
std::unique_ptr<EncoderDevice> MakeReferenceDevice(
    ArrangedWeights weights, const EmbeddingRows& embeddings,
    const ReferenceDeviceOptions& options);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_REFERENCE_DEVICE_H_
