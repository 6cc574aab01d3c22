// Where and how a network is run.
#ifndef SLICE_MODEL_FORWARD_OPTIONS_H_
#define SLICE_MODEL_FORWARD_OPTIONS_H_

#include <memory>
#include <string>

#include "model/device_health.h"
#include "model/forward_pass.h"

namespace slice {

struct ForwardOptions {
  std::string device = "cpu";  // "cpu", "cuda" or "cuda:N"
  ForwardPath path = ForwardPath::kAuto;
  // For a device other than the CPU: `health` is told when the device is lost
  // (null: nothing is told), and `on_device_loss` says what happens then.
  std::shared_ptr<DeviceHealth> health = nullptr;
  DeviceLossPolicy on_device_loss = DeviceLossPolicy::kExit;
};

}  // namespace slice

#endif  // SLICE_MODEL_FORWARD_OPTIONS_H_
