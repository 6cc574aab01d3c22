// A forward pass on a device that may run out of memory or be lost.
#ifndef SLICE_MODEL_GUARDED_FORWARD_H_
#define SLICE_MODEL_GUARDED_FORWARD_H_

#include <memory>

#include "model/device_health.h"
#include "model/forward_pass.h"

namespace slice {

// Runs `pass`, which is on a device. A batch for which memory ran out is cut in
// half, once: what then runs out is RESOURCE_EXHAUSTED. Once the device is lost
// `health` is told, and batches, that one too, run on `fallback`; they fail
// with DeviceLostError where it is null.
std::unique_ptr<ForwardPass> GuardForward(
    std::unique_ptr<const ForwardPass> pass,
    std::unique_ptr<const ForwardPass> fallback,
    std::shared_ptr<DeviceHealth> health);

}  // namespace slice

#endif  // SLICE_MODEL_GUARDED_FORWARD_H_
