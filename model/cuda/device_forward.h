// The network of model/torch/network_definition.h on a device: weights and
// global embeddings are there from the start, a call takes ids and features
// there and logits back. The TorchScript stays the definition: results agree to
// 1e-5.
#ifndef SLICE_MODEL_CUDA_DEVICE_FORWARD_H_
#define SLICE_MODEL_CUDA_DEVICE_FORWARD_H_

#include <memory>

#include "model/cuda/encoder_device.h"
#include "model/forward_pass.h"

namespace slice {

// Its path is kNative. Beside the errors of ForwardPass: DeviceLostError, and
// INVALID_ARGUMENT for a batch that the network or its kernel cannot take.
std::unique_ptr<ForwardPass> MakeDeviceForward(
    std::unique_ptr<EncoderDevice> device);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_DEVICE_FORWARD_H_
