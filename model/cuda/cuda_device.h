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

// Makes an EncoderDevice of the device "cuda" or "cuda:N". Copies weights and
// embeddings there, makes two streams of two slots each, and captures a CUDA
// graph for each slot and bucket, so that a batch allocates nothing. Returns
// the errors of FindCudaDevice; RESOURCE_EXHAUSTED when the memory of the
// device is too small.
absl::StatusOr<std::unique_ptr<EncoderDevice>> MakeCudaDevice(
    const ArrangedWeights& weights, const EmbeddingRows& embeddings,
    std::string_view device);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_CUDA_DEVICE_H_
