// A forward pass on a device that may run out of memory or be lost.
#ifndef SLICE_MODEL_GUARDED_FORWARD_H_
#define SLICE_MODEL_GUARDED_FORWARD_H_

#include <memory>

#include "model/device_health.h"
#include "model/forward_pass.h"

namespace slice {

// A forward pass around `pass`, which runs on a device.
//   - When memory runs out for a batch, the batch is run in two halves. If
//     memory runs out for a half as well, the error is RESOURCE_EXHAUSTED.
//   - A batch with unknown nodes runs on `fallback`, because the device has
//   only
//     the embeddings of the bundle. If `fallback` is null, it runs on `pass`,
//     and our own kernels refuse it.
//   - When the device is lost, `health` is told. This batch and all later ones
//     run on `fallback`; if `fallback` is null, they fail with DeviceLostError.
std::unique_ptr<ForwardPass> GuardForward(
    std::unique_ptr<const ForwardPass> pass,
    std::unique_ptr<const ForwardPass> fallback,
    std::shared_ptr<DeviceHealth> health);

}  // namespace slice

#endif  // SLICE_MODEL_GUARDED_FORWARD_H_
