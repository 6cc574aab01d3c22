// Runs the network of model/torch/network_definition.h on a device. Weights and
// global embeddings are copied there at the start; a call copies ids and
// features to the device and logits back. The TorchScript remains the
// definition: the results agree with it to 1e-5.
#ifndef SLICE_MODEL_CUDA_DEVICE_FORWARD_H_
#define SLICE_MODEL_CUDA_DEVICE_FORWARD_H_

#include <memory>

#include "model/cuda/encoder_device.h"
#include "model/forward_pass.h"

namespace slice {

// The pass has the path kNative. Besides the errors of ForwardPass it returns
// DeviceLostError, and INVALID_ARGUMENT for a batch that the network or the
// kernel cannot take, such as one with an unknown id or with a context that is
// too long.
std::unique_ptr<ForwardPass> MakeDeviceForward(
    std::unique_ptr<EncoderDevice> device);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_DEVICE_FORWARD_H_
