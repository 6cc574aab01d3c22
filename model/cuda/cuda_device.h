// The encoder kernel on a CUDA device.
#ifndef SLICE_MODEL_CUDA_CUDA_DEVICE_H_
#define SLICE_MODEL_CUDA_CUDA_DEVICE_H_

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "model/cuda/arranged_weights.h"
#include "model/cuda/encoder_device.h"
#include "model/forward_pass.h"

namespace slice {

// Makes an EncoderDevice of the device "cuda" or "cuda:N". Copies the weights
// and embeddings there and makes four streams. Each stream has two slots, the
// buffers for the inputs and outputs of one call. For each slot and bucket (a
// fixed size of a call, model/cuda/encoder_buckets.h) a CUDA graph is captured,
// so that a batch allocates nothing. Returns the errors of FindCudaDevice;
// RESOURCE_EXHAUSTED when the memory of the device is too small.
absl::StatusOr<std::unique_ptr<EncoderDevice>> MakeCudaDevice(
    const ArrangedWeights& weights, const EmbeddingRows& embeddings,
    std::string_view device);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_CUDA_DEVICE_H_
